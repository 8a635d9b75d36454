import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Address, type Builder, beginCell, Cell } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyTrace } from '../../src/actions/classify-trace.ts';
import type { Action, Classification } from '../../src/actions/rules/action.ts';
import type { TraceFacts } from '../../src/actions/rules/classifier-input.ts';
import { fixtureInput, readTraceFixture } from '../conformance/traces/read-fixture.ts';
import { type KnownContracts, knownContracts } from './support/known-contracts.ts';
import { account, buildTrace, op, type Step, text } from './support/trace-builder.ts';

const PROTOCOLS = fileURLToPath(new URL('../../src/actions/protocols/', import.meta.url));

/** The opcodes of the messages that the rules of a protocol name: messages that belong together. */
function opcodesOf(protocol: string): number[] {
  const folder = `${PROTOCOLS}${protocol}/`;
  const rules = readdirSync(folder).filter((name) => name !== 'layouts.ts');
  const text = rules.map((name) => readFileSync(folder + name, 'utf8')).join('\n');
  const names = new Set(Array.from(text.matchAll(/\.(\w+)/g), ([, name]) => name));
  const layouts = existsSync(`${folder}layouts.ts`) ? readFileSync(`${folder}layouts.ts`, 'utf8') : '';
  return Array.from(layouts.matchAll(/^ {2}\d+ ([0-9a-f]{8}) (\w+)/gm))
    .filter(([, , name = '']) => names.has(name) || names.has(name.slice(name.indexOf('_') + 1)))
    .map(([, opcode = '']) => Number.parseInt(opcode, 16));
}

const FAMILIES = readdirSync(PROTOCOLS)
  .map(opcodesOf)
  .filter((opcodes) => opcodes.length > 0);
const OPCODES = [...new Set(FAMILIES.flat())];
const JETTONS = [0x0f8a7ea5, 0x178d4519, 0x7362d09c, 0x595f07bc, 0x7bdd97de];
const WORDS = ['d', 'w', 'approve', 'finish', 'cancel', 'Your bid has been outbid by another user.', ''];
const ACCOUNTS = [`-1:${'3'.repeat(64)}`, ...Array.from({ length: 9 }, (_, at) => account(`account ${at}`))];

/** Every account is a contract of every kind, related to the other accounts. */
const everything = (seed: number): KnownContracts => {
  const other = (at: number) => ACCOUNTS[(at * 7 + seed) % ACCOUNTS.length]!;
  const forAll = <Kind>(record: (at: number) => Kind) =>
    Object.fromEntries(ACCOUNTS.map((address, at) => [address, record(at)]));
  const content = { uri: 'https://nft.fragment.com/username/a.json' };
  const side = (at: number) => ({ isTon: at % 2 === 0, address: at % 2 === 0 ? null : other(at) });
  return {
    jettonWallets: forAll((at) => ({ owner: other(at), jetton: other(at + 1) })),
    nftItems: forAll((at) => ({
      index: BigInt(at),
      collection: other(at),
      ...(at % 2 === 0 && { content }),
    })),
    nftSales: forAll((at) => ({ nft: other(at), nftOwner: other(at + 2) })),
    nftAuctions: forAll((at) => ({ nft: other(at), nftOwner: other(at + 3) })),
    nominatorPools: ACCOUNTS,
    multisigOrders: forAll((at) => ({ multisig: other(at), signers: [other(at + 1)] })),
    dedustPools: forAll((at) => ({ assets: [side(at), side(at + 1)] as const })),
    data: forAll((at) =>
      beginCell()
        .storeAddress(Address.parseRaw(other(at)))
        .endCell()
        .toBoc(),
    ),
  };
};

const rarely = fc.nat(9).map((number) => number === 0);
const anyAccount = fc.constantFrom(...ACCOUNTS);

/** Fields of random bodies. */
const field: fc.Arbitrary<(body: Builder) => Builder> = fc.oneof(
  anyAccount.map((address) => (body: Builder) => body.storeAddress(Address.parseRaw(address))),
  fc.constant((body: Builder) => body.storeAddress(null)),
  fc.bigInt({ min: 0n, max: 2n ** 120n - 1n }).map((amount) => (body: Builder) => body.storeCoins(amount)),
  fc.nat(1).map((bit) => (body: Builder) => body.storeBit(bit)),
  fc.nat(0xffffffff).map((number) => (body: Builder) => body.storeUint(number, 32)),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => (body: Builder) => body.storeBuffer(Buffer.from(bytes))),
);

const fill = (body: Builder, fields: readonly ((body: Builder) => Builder)[]): Builder => {
  for (const one of fields) if (body.availableBits >= 330) one(body);
  return body;
};

const fields = fc.array(field, { maxLength: 6 });

/** Messages with opcodes of one protocol, and sometimes of others. */
function family(opcodes: readonly number[]) {
  const opcode = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...opcodes) },
    { weight: 2, arbitrary: fc.constantFrom(...JETTONS) },
    fc.constantFrom(...OPCODES),
  );
  const cellAt = (depth: number): fc.Arbitrary<Builder> =>
    fc
      .tuple(
        fc.option(opcode),
        fields,
        depth > 0 ? fc.array(cellAt(depth - 1), { maxLength: 3 }) : fc.constant([]),
      )
      .map(([first, all, refs]) => withRefs(fill(first === null ? beginCell() : op(first), all), refs));
  const body = fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(opcode, fields, fc.array(cellAt(1), { maxLength: 4 }))
        .map(([first, all, refs]) => withRefs(fill(op(first, 1n), all), refs)),
    },
    fc.constantFrom(...WORDS).map((word) => text(word)),
    cellAt(2),
  );
  const stepAt = (depth: number): fc.Arbitrary<Step> =>
    fc.record({
      to: fc.oneof({ weight: 9, arbitrary: anyAccount }, fc.constant(null)),
      value: fc.nat().map(BigInt),
      body,
      bounce: fc.boolean(),
      aborted: rarely,
      deploys: rarely,
      sends: depth > 0 ? fc.array(stepAt(depth - 1), { maxLength: 2 }) : fc.constant([]),
    });
  const init = cellAt(2);
  return { body, init, step: stepAt(4) };
}

function withRefs(body: Builder, refs: readonly Builder[]): Builder {
  for (const ref of refs) body.storeRef(ref);
  return body;
}

/** Classifies a trace; unexpected errors of rules are faults. */
function classify(trace: TraceFacts, known: KnownContracts): Classification {
  const faults: string[] = [];
  const result = classifyTrace({ trace, interfaces: knownContracts(known) }, (rule, fault) =>
    faults.push(`${rule}: ${(fault as Error).stack}`),
  );
  expect(faults).toEqual([]);
  return result;
}

function assertSound(actions: readonly Action[]): void {
  const isSound = ({ tx_hashes, accounts, start_utime, end_utime }: Action) =>
    tx_hashes.length > 0 && accounts.every((one) => typeof one === 'string') && start_utime <= end_utime;
  expect(actions.filter((one) => !isSound(one))).toEqual([]);
  expect(new Set(actions.map(({ action_id }) => action_id)).size).toBe(actions.length);
}

describe('a trace with random content', () => {
  it('is classified without errors', () => {
    for (const opcodes of FAMILIES) {
      const { body, step } = family(opcodes);
      fc.assert(
        fc.property(
          anyAccount,
          body,
          fc.array(step, { maxLength: 3 }),
          fc.nat(9),
          (to, first, sends, seed) => {
            const trace = buildTrace({ to, body: first, sends });
            const { state, actions } = classify(trace, everything(seed));
            assertSound(actions);
            // All contracts are known, so no rule may fail.
            expect(state).toBe('ok');
            assertSound(classify(trace, {}).actions);
          },
        ),
        { numRuns: 3 },
      );
    }
  });

  it('is classified as a rejected external message', () => {
    const { body, init } = family(JETTONS);
    fc.assert(
      fc.property(fc.oneof(body, init), (message) => {
        const trace = buildTrace({ to: ACCOUNTS[1]!, body: message, aborted: true });
        const { state, actions } = classify(trace, everything(1));
        expect(state).toBe('ok');
        expect(actions.length).toBeGreaterThan(0);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a trace of maximum size', () => {
  const SIZE = 1_500;
  const everyStep = (at: number): Step => ({
    to: ACCOUNTS[at % ACCOUNTS.length]!,
    body: op(OPCODES[(at * 13) % OPCODES.length]!, 1n)
      .storeAddress(Address.parseRaw(ACCOUNTS[at % 5]!))
      .storeUint(0, 300),
    deploys: at % 3 === 0,
  });

  it('is classified if it is wide', () => {
    const sends = Array.from({ length: SIZE }, (_, at) => everyStep(at));
    const { actions } = classify(buildTrace({ to: ACCOUNTS[1]!, body: op(9), sends }), everything(3));
    expect(actions.length).toBeGreaterThan(SIZE / 2);
  });

  it('is classified if it is deep', () => {
    let last = everyStep(SIZE);
    for (let at = SIZE - 1; at > 0; at--) last = { ...everyStep(at), sends: [last] };
    const { actions } = classify(buildTrace({ to: ACCOUNTS[1]!, body: op(9), sends: [last] }), everything(3));
    expect(actions.length).toBeGreaterThan(SIZE / 10);
  });
});

const FOLDER = new URL('../../../shared/data/traces/data/', import.meta.url);

describe.skipIf(!existsSync(FOLDER))('a real trace (../shared) with broken messages', () => {
  it('is classified without errors', () => {
    const randoms = fc.sample(fc.nat(0xffffffff), { numRuns: 20_000, seed: 7 });
    const next = (below: number) => (randoms.pop() ?? 0) % below;
    for (const name of readdirSync(FOLDER)) {
      const { trace, interfaces } = fixtureInput(readTraceFixture(fileURLToPath(new URL(name, FOLDER))));
      for (let round = 0; round < 2; round++) {
        const transactions = trace.transactions.map((one) => {
          if (!one.inMessage || next(3) > 0) return one;
          return { ...one, inMessage: { ...one.inMessage, body: broken(one.inMessage.body!, next) } };
        });
        const faults: unknown[] = [];
        const { actions } = classifyTrace({ trace: { ...trace, transactions }, interfaces }, (rule, fault) =>
          faults.push(`${rule} of ${name}: ${(fault as Error).stack}`),
        );
        expect(faults).toEqual([]);
        assertSound(actions);
      }
    }
  });
});

/** A body that is truncated, has a flipped bit, or lacks its references. */
function broken(body: Buffer, next: (below: number) => number): Buffer {
  const [cell] = Cell.fromBoc(body);
  if (!cell) return body;
  const slice = cell.beginParse();
  const bits = slice.loadBits(slice.remainingBits);
  const out = beginCell();
  const kept = next(3) === 0 ? next(bits.length + 1) : bits.length;
  const turned = kept > 32 && next(2) === 0 ? 32 + next(kept - 32) : -1;
  for (let at = 0; at < kept; at++) out.storeBit(at === turned ? !bits.at(at) : bits.at(at));
  if (next(4) > 0) for (const ref of cell.refs) out.storeRef(ref);
  return out.endCell().toBoc();
}
