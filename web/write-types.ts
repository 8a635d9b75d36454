import { readFile, writeFile } from 'node:fs/promises';
import openapiTs, { astToString } from 'openapi-typescript';

// Writes web/api/*.d.ts from openapi/*.json. They are not committed: `npm ci` and `npm run types` run this.

const DOCUMENTS = ['v2', 'v3', 'localnet', 'admin'];
/** Members that say nothing about types, but are most of the text. */
const LEFT_OUT = new Set(['example', 'examples', 'headers']);

const OPTIONS = {
  alphabetize: true,
  silent: true,
  // Schemas are exported by their names.
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  rootTypesKeepCasing: true,
};

/** The document without examples and refusals: pages read the text of a refusal and nothing else of it. */
function withoutExtras(value: unknown, isSchemaMembers = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutExtras(one));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    // A schema may have a member of its own with such a name.
    .filter(([name]) => isSchemaMembers || (!LEFT_OUT.has(name) && !/^(?:[1345]\d\d|default)$/.test(name)))
    .map(([name, member]) => [name, withoutExtras(member, name === 'properties')]);
  return Object.fromEntries(members);
}

for (const name of DOCUMENTS) {
  const document: unknown = JSON.parse(
    await readFile(new URL(`../openapi/${name}.json`, import.meta.url), 'utf8'),
  );
  const ast = await openapiTs(withoutExtras(document) as never, OPTIONS);
  const text = `// Written by \`npm run web:types\` from openapi/${name}.json.\n${astToString(ast)}`;
  await writeFile(new URL(`api/${name}.d.ts`, import.meta.url), text);
}
