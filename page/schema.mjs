// Writes src/made/documents.ts: what the commands print, as docs/schemas describe it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const documents = { Report: "report", Graph: "graph", Inspection: "inspect", Verification: "verify", Partition: "partition", Difference: "diff" };
const plain = { integer: "number", number: "number", string: "string", boolean: "boolean", null: "null" };

const either = (types) => [...new Set(types)].join(" | ");
const literals = (values) => either(values.map((value) => JSON.stringify(value)));

function objectType(schema, defined) {
  const needed = new Set(schema.required);
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, type]) => `${JSON.stringify(name)}${needed.has(name) ? "" : "?"}: ${typeOf(type, defined)}`,
  );
  if (members.length > 0) return `{ ${members.join("; ")} }`;
  const others = schema.additionalProperties;
  if (!others || others === true) return "object";
  const keys = schema.propertyNames ? typeOf(schema.propertyNames, defined) : "string";
  return `Record<${keys}, ${typeOf(others, defined)}>`;
}

function typeOf(schema, defined) {
  if (schema.$ref) return typeOf(defined[schema.$ref.replace("#/$defs/", "")], defined);
  if ("const" in schema) return literals([schema.const]);
  if (schema.enum) return literals(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return either(choices.map((choice) => typeOf(choice, defined)));
  return either([schema.type].flat().map((type) => {
    if (type === "array") return `(${schema.items ? typeOf(schema.items, defined) : "unknown"})[]`;
    return type === "object" ? objectType(schema, defined) : (plain[type] ?? "unknown");
  }));
}

const read = (name) => JSON.parse(readFileSync(new URL(`../docs/schemas/${name}.schema.json`, import.meta.url), "utf8"));
const texts = Object.entries(documents).map(([type, name]) => {
  const schema = read(name);
  return `export type ${type} = ${typeOf(schema, schema.$defs)};\n`;
});
mkdirSync(new URL("src/made/", import.meta.url), { recursive: true });
writeFileSync(new URL("src/made/documents.ts", import.meta.url), texts.join(""));
