import { readFileSync } from 'node:fs';
import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { generatedFiles } from '../../src/cli/generated-files.ts';
import { isLongRun } from '../support/long-run.ts';
import { compile, programOf, typesOf } from './support/typed-programs.ts';

/** The documents by name. */
const documents = Object.entries(await generatedFiles.openapi()).map(
  ([file, text]) => [/(\w+)\.json$/.exec(file)![1]!, text] as const,
);

describe('the OpenAPI documents', () => {
  it.each(documents)('of %s satisfies the recommended rules of redocly', async (_name, text) => {
    const config = await createConfig({
      extends: ['recommended'],
      // A health check has no parameters that could be wrong, and a WebSocket opens with 101.
      rules: { 'operation-4xx-response': 'off', 'operation-2xx-response': 'off' },
    });
    const document = makeDocumentFromString(text, 'openapi.json');
    const faults = await lintDocument({ document, config, externalRefResolver: new BaseResolver() });
    expect(faults.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  // The document of v3 takes half a minute.
  it.runIf(isLongRun).each(documents)('of %s satisfies the rules of spectral', async (_name, text) => {
    // Loaded where it is needed: that takes as long as a test.
    const { default: spectral } = await import('@stoplight/spectral-core');
    const { default: rulesets } = await import('@stoplight/spectral-rulesets');
    const linter = new spectral.Spectral();
    linter.setRuleset({
      extends: [rulesets.oas as RulesetDefinition],
      // Whom to ask is up to who runs the server.
      rules: { 'info-contact': 'off' },
    });
    const faults = await linter.run(JSON.parse(text));
    expect(faults.map(({ code, message, path }) => [code, message, path.join('/')])).toEqual([]);
  });
});

describe('the types that openapi-typescript makes of the documents', () => {
  const files: Record<string, string> = {};
  beforeAll(async () => {
    for (const [name, text] of documents) {
      files[`${name}.d.ts`] = await typesOf(text);
      // Their paths have values, which the programs do not know.
      if (!['account', 'admin', 'streaming'].includes(name))
        files[`${name}-operations.ts`] = programOf(name, text);
    }
  });

  it('fit programs that call every operation, and the one of the docs', () => {
    const page = readFileSync(new URL('../../docs/use-from-code.md', import.meta.url), 'utf8');
    const [program] = /^\/\/ history\.ts\n[\s\S]*?(?=^```)/m.exec(page) ?? [];
    expect(compile({ ...files, 'history.ts': program!, 'wrong.ts': WRONG })).toEqual([]);
  });
});

/** What must not compile. */
const WRONG = `
import type { components as V2 } from './v2.d.ts';
import type { components } from './v3.d.ts';

declare const action: components['schemas']['Action'];
// @ts-expect-error: the type is not known yet
action.details.receiver;
if (action.type === 'jetton_transfer') {
  action.details.receiver satisfies string | null;
  // @ts-expect-error: a detail of another type
  action.details.stake_holder;
}
// @ts-expect-error: not a type
if (action.type === 'jetton_transfers') action.trace_id;

declare const sale: components['schemas']['NFTSale'];
if (sale.type === 'getgems_sale') sale.details.full_price satisfies string;
// @ts-expect-error: a detail of another type
else sale.details.full_price;

declare const transaction: components['schemas']['Transaction'];
// @ts-expect-error: may be null
transaction.in_msg.hash;
transaction.in_msg?.message_content?.body satisfies string | null | undefined;

declare const entry: V2['schemas']['TvmStackEntry'];
if (entry['@type'] === 'tvm.stackEntryTuple') {
  for (const element of entry.tuple.elements)
    if (element['@type'] === 'tvm.stackEntryNumber') element.number.number satisfies string;
  // @ts-expect-error: a tuple
  entry.number;
}

declare const pair: V2['schemas']['LegacyStackEntry'];
if (pair[0] === 'num') pair[1] satisfies string;
// @ts-expect-error: a cell
if (pair[0] === 'cell') pair[1] satisfies string;

declare const node: components['schemas']['TraceNode'];
node.children?.[0]?.children?.[0]?.tx_hash satisfies string | undefined;
`;
