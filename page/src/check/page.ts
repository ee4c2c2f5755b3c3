// The page of `check`.
import { h, setTitle } from "../dom";
import { currentLink, setLink } from "../link";
import type { Report } from "../schema";
import { showModel } from "./model";
import { modelTable } from "./models";

export async function checkPage(report: Report, main: HTMLElement): Promise<void> {
  const place = h("div", { class: "model" });
  const show = async (number: number): Promise<void> => {
    const model = report.models[number];
    if (model) await showModel(place, model, number, report.version);
  };
  const many = report.models.length !== 1;
  setTitle(many ? `${report.models.length} models` : `${report.models[0]!.path} - model_validator`);
  if (many)
    main.append(modelTable(report, (number) => {
      setLink({ model: String(number) });
      void show(number).then(() => place.scrollIntoView());
    }));
  main.append(place);
  const named = (): number => (many ? Number(currentLink().model ?? -1) : 0);
  await show(named());
  addEventListener("hashchange", () => void show(named()));
}
