import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createProtocolDecoder } from '../../../src/actions/layouts.ts';
import { DEDUST_V2 } from '../../../src/actions/protocols/dedust/layouts.ts';
import { parseScheme } from '../../../src/chain/messages/notation.ts';

const FOLDER = new URL('../../../../shared/data/traces/data/', import.meta.url);
const NEWER = new URL('../../../../shared/data/traces-1.3/data/', import.meta.url);
const missing =
  existsSync(FOLDER) && existsSync(NEWER)
    ? ''
    : ' (skipped: the traces of mainnet are not beside this checkout)';

interface Message {
  readonly body_boc: string | null;
}
interface Trace {
  readonly transactions: readonly {
    readonly in_msg: Message | null;
    readonly out_msgs: readonly Message[];
  }[];
}

function bodiesOf(folder: URL): string[] {
  return readdirSync(folder).flatMap((file) => bodiesIn(new URL(file, folder)));
}

function bodiesIn(file: URL): string[] {
  const { transactions }: Trace = JSON.parse(readFileSync(file, 'utf8'));
  const messages = transactions.flatMap(({ in_msg, out_msgs }) => [in_msg, ...out_msgs]);
  return messages.flatMap((message) => message?.body_boc ?? []);
}

describe.skipIf(missing !== '')(`bodies of mainnet${missing}`, () => {
  it('are mostly decoded', () => {
    const decoder = createProtocolDecoder();
    const bodies = new Set(bodiesOf(FOLDER));
    const counts = new Map<string, number>();
    for (const body of bodies) {
      const decoded = decoder.decodeText(body);
      const type = 'json' in decoded ? JSON.parse(decoded.json)['@type'] : decoded.error;
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
    const unknown = counts.get('unknown: no parser succeeded')!;
    expect([...counts.keys()].filter((type) => type.startsWith('unknown'))).toHaveLength(1);
    expect(unknown / bodies.size).toBeLessThan(0.25);
    // Every kind of wallet that sent something, and what they sent most.
    for (const type of ['wallet_signed_v3', 'wallet_signed_v4', 'w5_external_signed_request'])
      expect(counts.get(type), type).toBeGreaterThan(5);
    for (const type of [
      'highload_wallet_signed_v3',
      'jetton_transfer',
      'jetton_notify',
      'text_comment',
      'excess',
    ])
      expect(counts.get(type), type).toBeGreaterThan(4);
  });

  it('of DeDust v2 are decoded by name', () => {
    const decoder = createProtocolDecoder();
    const decoded = bodiesOf(NEWER).map((body) => decoder.decodeText(body));
    const names = decoded.flatMap((one) =>
      'json' in one ? [...one.json.matchAll(/"(dedust_v2_\w+)"/g)] : [],
    );
    const known = [...parseScheme([DEDUST_V2]).messages.values()].flat().map(({ name }) => name);
    expect([...new Set(names.map(([, name]) => name))].sort()).toEqual(known.sort());
  });
});
