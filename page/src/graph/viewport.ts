// Pans and zooms an SVG drawing with mouse, fingers and keys.
import type { Point } from "./layout";

const SMALLEST = 0.02;
const LARGEST = 3;

export class Viewport {
  private x = 0;
  private y = 0;
  private scale = 1;
  private readonly pointers = new Map<number, Point>();
  private moved = 0;

  constructor(
    private readonly svg: SVGSVGElement,
    private readonly content: SVGGElement,
  ) {
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"] as const)
      svg.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
    svg.addEventListener("click", (event) => this.swallowDrag(event), { capture: true });
  }

  get zoom(): number {
    return this.scale;
  }

  /** Shows all of a drawing of that size. */
  fit(width: number, height: number): void {
    const room = this.svg.getBoundingClientRect();
    this.scale = Math.min(1.2, Math.max(SMALLEST, Math.min(room.width / (width + 40), room.height / (height + 40))));
    this.x = (room.width - width * this.scale) / 2;
    this.y = Math.max(12, (room.height - height * this.scale) / 2);
    this.apply();
  }

  /** Shows the whole width of it if that stays readable, from the top. */
  fitWidth(width: number, height: number): void {
    this.fit(width, height);
    if (this.scale >= 0.6) return;
    const room = this.svg.getBoundingClientRect();
    this.scale = Math.min(1, Math.max(0.6, room.width / (width + 40)));
    this.x = (room.width - width * this.scale) / 2;
    this.y = 12;
    this.apply();
  }

  /** Moves a place of the drawing to the middle. */
  centre(place: Point, atLeast = 0.7): void {
    const room = this.svg.getBoundingClientRect();
    this.scale = Math.max(this.scale, atLeast);
    this.x = room.width / 2 - place.x * this.scale;
    this.y = room.height / 2 - place.y * this.scale;
    this.apply();
  }

  /** Moves the drawing so that a place of it stays where it was on the screen. */
  hold(before: Point, after: Point): void {
    this.pan((before.x - after.x) * this.scale, (before.y - after.y) * this.scale);
  }

  pan(right: number, down: number): void {
    this.x += right;
    this.y += down;
    this.apply();
  }

  /** Zooms around a place of the screen, or around the middle. */
  zoomBy(factor: number, around?: Point): void {
    const room = this.svg.getBoundingClientRect();
    const at = around ?? { x: room.width / 2, y: room.height / 2 };
    const scale = Math.min(LARGEST, Math.max(SMALLEST, this.scale * factor));
    this.x = at.x - ((at.x - this.x) * scale) / this.scale;
    this.y = at.y - ((at.y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.apply();
  }

  private apply(): void {
    this.content.setAttribute("transform", `translate(${this.x} ${this.y}) scale(${this.scale})`);
  }

  private local(event: { clientX: number; clientY: number }): Point {
    const room = this.svg.getBoundingClientRect();
    return { x: event.clientX - room.left, y: event.clientY - room.top };
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    if (event.shiftKey) this.pan(-event.deltaY * lines, 0);
    else this.zoomBy(Math.exp(-event.deltaY * lines * 0.0016), this.local(event));
  }

  private down(event: PointerEvent): void {
    this.pointers.set(event.pointerId, this.local(event));
    this.moved = 0;
  }

  private move(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.local(event);
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const distance = (point: Point): number => Math.hypot(point.x - other.x, point.y - other.y);
      this.zoomBy(distance(now) / Math.max(1, distance(before)), other);
    } else this.pan(now.x - before.x, now.y - before.y);
    this.moved += Math.hypot(now.x - before.x, now.y - before.y);
    this.pointers.set(event.pointerId, now);
  }

  /** What ends a drag is no click on what happens to be there. */
  private swallowDrag(event: MouseEvent): void {
    if (this.moved > 5) event.stopPropagation();
    this.moved = 0;
  }
}
