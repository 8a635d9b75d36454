import { describe, expect, it } from 'vitest';
import { parseAddress } from '../../../src/chain/address.ts';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { parseMethodId } from '../../../src/chain/contracts/method-ids.ts';
import { formatClassicStack, readClassicStack } from '../../../src/chain/stack/classic.ts';
import { intEntry, type StackEntry } from '../../../src/chain/stack/entries.ts';
import type { CellObject } from '../../../src/chain/stack/results.ts';
import { formatTypedStack, readTypedStack } from '../../../src/chain/stack/typed.ts';
import { readStackBoc, writeStackBoc } from '../../../src/chain/stack/vm-stack.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { recorded, recordedNames } from '../support/recordings.ts';

/** What names a run: block, account, method and arguments. */
function runKey(seqno: number, account: Buffer, method: number, args: Uint8Array): string {
  const bag = readBoc(args);
  return `${seqno} ${account.toString('hex')} ${method} ${bag.hash(bag.root).toString('hex')}`;
}

/** Results of runs by a lite server. */
const results = new Map<string, Buffer>();
for (const name of recordedNames('lite', 'runSmcMethod_')) {
  const { request, response } = recorded('lite', name);
  const { id, account, method_id: method, params } = request.params;
  if (response.decoded.exit_code === -256 || params === '') continue;
  const key = runKey(
    id.seqno,
    Buffer.from(account.id, 'base64'),
    Number(method),
    Buffer.from(params, 'base64'),
  );
  results.set(key, Buffer.from(response.decoded.result, 'base64'));
}

/** The result of the run that is asked for, if a lite server has done it. */
function resultOf(seqno: number, address: string, method: unknown, args: StackEntry[]): Buffer | undefined {
  return results.get(
    runKey(seqno, Buffer.from(parseAddress(address)!.hash), parseMethodId(method), writeStackBoc(args)),
  );
}

describe.skipIf(missingNetwork !== '')(`recorded runs of get-methods${missingNetwork}`, () => {
  it('are read and rewritten unchanged', () => {
    expect(results.size).toBeGreaterThan(20);
    for (const [key, result] of results) {
      const entries = readStackBoc(result);
      const again = writeStackBoc(entries.filter(({ type }) => type !== 'unsupported'));
      expect(formatTypedStack(readStackBoc(again)), key).toEqual(formatTypedStack(entries));
      const [before, after] = [readBoc(result), readBoc(again)];
      expect(after.hash(after.root), key).toEqual(before.hash(before.root));
    }
  });

  it('are formatted as in tonlib', () => {
    const compared: string[] = [];
    for (const name of recordedNames('tonlib', 'runGetMethod.')) {
      const { request, response } = recorded('tonlib', name);
      if (response['@type'] !== 'smc.runResult' || response.exit_code === -14) continue;
      const [{ id, function: load }, { method, stack }] = request;
      const address = load.account_address.account_address;
      const result = resultOf(
        id.seqno,
        address,
        method.name ?? method.number,
        readTypedStack(unsized(stack)),
      );
      if (result === undefined) continue;
      compared.push(name);
      expect(formatTypedStack(readStackBoc(result)), name).toEqual(response.stack);
    }
    expect(compared.length, compared.join()).toBeGreaterThan(12);
  });

  it('are formatted as in TON Center', () => {
    const compared: string[] = [];
    for (const name of recordedNames('http', 'runGetMethod.')) {
      const { body_sent: sent, status, body } = recorded('http', name);
      // The Python service takes a number for the name of a method.
      if (status !== 200 || body.result.exit_code === -14 || /^[0-9]+$/.test(sent.method)) continue;
      const args = readClassicStack(unsized(sent.stack));
      const result = resultOf(sent.seqno ?? 0, sent.address, sent.method, args);
      if (result === undefined) continue;
      compared.push(name);
      expect(zeroTails(formatClassicStack(readStackBoc(result))), name).toEqual(body.result.stack);
    }
    expect(compared.length, compared.join()).toBeGreaterThan(8);
  });

  it('return the arguments of the method echo', () => {
    let compared = 0;
    for (const name of recordedNames('tonlib', 'runGetMethod.echo.')) {
      const { request, response } = recorded('tonlib', name);
      if (response['@type'] !== 'smc.runResult' || name.endsWith('too_big')) continue;
      const passed = readStackBoc(writeStackBoc(readTypedStack(request[1].stack)));
      expect(formatTypedStack(passed), name).toEqual(response.stack);
      compared++;
    }
    for (const name of recordedNames('http', 'runGetMethod.echo_')) {
      const { body_sent: sent, status, body } = recorded('http', name);
      if (status !== 200 || name.endsWith('toobig')) continue;
      const passed = readStackBoc(writeStackBoc(readClassicStack(sent.stack)));
      expect(zeroTails(formatClassicStack(passed)), name).toEqual(body.result.stack);
      compared++;
    }
    expect(compared).toBeGreaterThan(15);
  });

  it.each(['uninit', 'nonexist', 'frozen'])(
    'have the expected result for an account without code: %s',
    (name) => {
      const { body_sent: sent, body } = recorded('http', `runGetMethod.${name}`);
      const stack = [...readClassicStack(sent.stack), intEntry(parseMethodId(sent.method))];
      expect(formatClassicStack(stack)).toEqual(body.result.stack);
    },
  );

  it('are rejected with the wording of tonlib', () => {
    const { request, response } = recorded('tonlib', 'runGetMethod.echo.unsupported');
    expect(() => readTypedStack(request[1].stack)).toThrow(response.message);
    const broken = recorded('tonlib', 'runGetMethod.echo.bad_boc');
    expect(() => readTypedStack(broken.request[1].stack)).toThrow(broken.response.message);
  });
});

/** Without numbers that TVM cannot hold: tonlib passes them on. */
// biome-ignore lint/suspicious/noExplicitAny: arguments of recorded requests.
function unsized(stack: any[]): any[] {
  return JSON.stringify(stack).includes('584007913129639936') ? [] : stack;
}

/** The Python service fills the last byte of a cell's data with zeros; the C++ service and we complete it. */
function zeroTails(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, member) => {
    if (key !== 'data' || typeof member?.b64 !== 'string') return member;
    const { b64, len } = member as CellObject['data'];
    const data = Buffer.from(b64, 'base64');
    if (len & 7) data[len >> 3]! &= 0xff00 >> (len & 7);
    return { b64: data.toString('base64'), len };
  });
}
