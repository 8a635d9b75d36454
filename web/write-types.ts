import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import openapiTs, { astToString } from 'openapi-typescript';

// Writes web/api/*.d.ts from openapi/*.json; with --check it only says which of them are out of date.

const DOCUMENTS = ['v2', 'v3', 'localnet', 'admin'];
/** Members that say nothing about types, but are most of the text. */
const LEFT_OUT = new Set(['example', 'examples', 'headers']);

const isCheck = process.argv.includes('--check');

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
  const document = JSON.parse(
    await readFile(new URL(`../openapi/${name}.json`, import.meta.url), 'utf8'),
  ) as Record<string, unknown>;
  const ast = await openapiTs(withoutExtras(document) as never, { alphabetize: true, silent: true });
  const text = `// Written by \`npm run web:types\` from openapi/${name}.json.\n${astToString(ast)}`;
  const path = fileURLToPath(new URL(`api/${name}.d.ts`, import.meta.url));
  if ((await readFile(path, 'utf8').catch(() => '')) === text) continue;
  if (isCheck) process.exitCode = 1;
  else await writeFile(path, text);
  process.stdout.write(`web/api/${name}.d.ts ${isCheck ? 'is out of date' : 'written'}\n`);
}
