import { beginCell, Cell, Dictionary } from '@ton/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeGetMethod, type GetMethodRun } from '../../src/vm/runs.ts';
import { prepareConfig, type SharedBoc, writePrevBlocks } from '../../src/vm/shared-inputs.ts';
import { compileEmulator } from '../../src/vm/worker/emulator.ts';
import { Runner } from '../../src/vm/worker/runner.ts';
import { boc, CONFIG_BOC, codeRun, config, hexCell, wallet } from './built-data.ts';

const full = config.full;
const trimmed = config.trimmed!;
const limits = config.limits!;

let module: object;
let runner: Runner;
beforeAll(async () => {
  module = await compileEmulator();
  runner = new Runner(module);
});

const block = {
  workchain: -1,
  shard: -(2n ** 63n),
  seqno: 7,
  rootHash: Buffer.alloc(32),
  fileHash: Buffer.alloc(32),
};
const prevBlocks = writePrevBlocks({ last: [block], keyBlock: block, every100: [block] });

/** Runs a get-method in a thread that has only these configurations, and previous blocks. */
async function reply(given: GetMethodRun, configs: readonly SharedBoc[]) {
  const run = { ...given, prevBlocks };
  const fresh = [...configs, prevBlocks].map(({ key, text }) => [key, text] as const);
  const keyOf = (part: SharedBoc): string => (configs.includes(part) ? part.key : '');
  const wire = { ...encodeGetMethod(run), trimmedConfig: keyOf(trimmed), limitsConfig: keyOf(limits) };
  const forgotten = [full.key, trimmed.key, limits.key];
  const { replies } = await runner.work({ runs: [wire], fresh, forgotten }, () => {});
  return replies[0]!;
}

/** Every way to the configuration root and the previous blocks in c7, and what only might be one. */
const readers: Record<string, string> = {
  CONFIGROOT: 'F829',
  CONFIGDICT: 'F830',
  // of the validators
  CONFIGPARAM: '8022F832',
  CONFIGOPTPARAM: '71F833',
  PREVBLOCKSINFOTUPLE: 'F82D',
  PREVMCBLOCKS: 'F83400',
  PREVKEYBLOCK: 'F83401',
  PREVMCBLOCKS_100: 'F83402',
  'GETPARAMLONG 9': 'F88109',
  'PUSH c7': 'ED47',
  PUSHCTRX: '77EDE0',
  GETGLOBVAR: '70F840',
  'SAVECTR c7': 'EDA7ED40',
  'SAVEALTCTR c7': 'EDB7',
  'SAVEBOTHCTR c7': 'EDC7ED40',
  SETCONTCTRMANY: '90EDE380',
  SETCONTCTRMANYX: '90810080EDE4',
};

/** What depends on fees and prices, or only may, but not on other parts of the configuration. */
const feeReaders: Record<string, string> = {
  UNPACKEDCONFIGTUPLE: 'F82E',
  GLOBALID: 'F835',
  // 1000 gas in the masterchain
  GETGASFEE: '8103E87FF836',
  GETSTORAGEFEE: '728103E88103E87FF837',
  GETFORWARDFEE: '728103E870F838',
  GETORIGINALFWDFEE: '8103E870F83A',
  GETGASFEESIMPLE: '8103E87FF83B',
  GETFORWARDFEESIMPLE: '728103E870F83C',
  GETPRECOMPILEDGAS: 'F839',
};

/** What depends on no other parameters than those of every run. */
const others: Record<string, string> = {
  nothing: '',
  'SETGLOB 1, GETGLOB 1': '75F861F841',
  RANDU256: 'F810',
  'PUSH c4': 'ED44',
  'out of gas': '9100EA',
  throw: 'F22A',
};

describe('trimmed config', () => {
  it('has the parameters that the emulator reads', () => {
    const params = (text: string) =>
      Cell.fromBase64(text).beginParse().loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
    const [whole, part] = [params(full.text), params(trimmed.text)];
    expect([...part.keys()].sort((a, b) => a - b)).toEqual([8, 12, 18, 19, 20, 21, 24, 25, 31, 45]);
    for (const [index, cell] of part) expect(cell.hash()).toEqual(whole.get(index)!.hash());
    expect(config.globalVersion).toBe(12);
    const limited = params(limits.text);
    expect([...limited.keys()]).toEqual([8]);
    expect(limited.get(8)!.hash()).toEqual(whole.get(8)!.hash());
    expect(trimmed.text.length * 50).toBeLessThan(full.text.length);
  });

  it.each(Object.entries(others))('needs only its limits for %s', async (_name, code) => {
    const run = codeRun(`FF00${code}`, { gasLimit: 20_000, verbosity: 0 });
    const part = await reply(run, [limits]);
    expect(part.type).toBe('get_method');
    expect(part).toEqual(await reply(run, [full]));
  });

  it.each(Object.entries(feeReaders))('needs more than its limits for %s', async (name, code) => {
    const run = codeRun(`FF00${code}`, { verbosity: 0 });
    await expect(reply(run, [limits])).rejects.toThrow('never sent');
    const all = await reply(run, [full, trimmed, limits]);
    expect(all).toEqual(await reply(run, [full]));
    expect((all as { log: string }).log).toContain(`execute ${name}`);
    // It is known by now.
    expect(await reply(run, [trimmed, limits])).toEqual(all);
  });

  it.each(Object.entries({ ...others, ...feeReaders }))('is enough for %s', async (_name, code) => {
    const run = codeRun(`FF00${code}`, { gasLimit: 20_000, verbosity: 0 });
    const part = await reply(run, [trimmed]);
    expect(part.type).toBe('get_method');
    expect(part).toEqual(await reply(run, [full]));
  });

  it('is enough for a wallet', async () => {
    const run = codeRun(wallet.init.code, { data: boc(wallet.init.data), methodId: 85143 });
    expect(await reply(run, [trimmed])).toEqual(await reply(run, [full]));
    expect(await reply(run, [limits])).toEqual(await reply(run, [full]));
  });

  it('is enough for the fee of a message', async () => {
    const message = beginCell()
      .storeUint(0b11, 2)
      .storeUint(0, 4 + 64 + 32 + 2)
      .endCell();
    // PUSH c4, mode 1024 (do not send), SENDMSG
    const run = codeRun('FF00ED44810400FB08', { data: boc(message), verbosity: 0 });
    const part = await reply(run, [trimmed]);
    expect(part).toMatchObject({ type: 'get_method', exitCode: 0 });
    expect(part).toEqual(await reply(run, [full]));
    expect(await reply(run, [full, trimmed, limits])).toEqual(part);
  });

  it.each(Object.entries(readers))('is not used for %s', async (name, code) => {
    const run = codeRun(`FF00${code}`, { verbosity: 0 });
    // Asks for the whole configuration, which is not there.
    await expect(reply(run, [trimmed])).rejects.toThrow('never sent');
    const both = await reply(run, [full, trimmed, limits]);
    expect(both).toEqual(await reply(run, [full]));
    expect(both).toMatchObject({ type: 'get_method', exitCode: 0 });
    expect((both as { log: string }).log).toContain(`execute ${name}`);
  });

  it('is not used for code in a child machine with c7', async () => {
    // PUSHSLICE of CONFIGROOT, no stack, PUSH c7, RUNVM with c7
    const child = hexCell('F829');
    const code = beginCell()
      .storeBuffer(Buffer.from('FF0070', 'hex'))
      .storeUint(0x88, 8)
      .storeRef(child)
      .storeBuffer(Buffer.from('D0ED47DB4010', 'hex'))
      .endCell();
    const run = codeRun(code);
    await expect(reply(run, [trimmed])).rejects.toThrow('never sent');
    expect(await reply(run, [full, trimmed])).toEqual(await reply(run, [full]));
  });

  it('is skipped for methods known to read the config', async () => {
    const fresh = [full, trimmed, limits].map(({ key, text }) => [key, text] as const);
    const runs = ['FF00F829', 'FF00'].map((code) => encodeGetMethod(codeRun(code)));
    const own = new Runner(module);
    await own.work({ runs, fresh, forgotten: [] }, () => {});
    const again = await own.work(
      { runs: [runs[0]!], fresh: [], forgotten: [trimmed.key, limits.key] },
      () => {},
    );
    expect(again.replies[0]).toMatchObject({ type: 'get_method', exitCode: 0 });
    const other = own.work({ runs: [runs[1]!], fresh: [], forgotten: [] }, () => {});
    await expect(other).rejects.toThrow('never sent');
  });

  it('does not exist for versions whose fee instructions read the config', () => {
    const root = Cell.fromBoc(CONFIG_BOC)[0]!;
    const params = root.beginParse().loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
    params.set(8, beginCell().storeUint(0xc4, 8).storeUint(5, 32).storeUint(0, 64).endCell());
    const old = prepareConfig(boc(beginCell().storeDictDirect(params).endCell()));
    expect(old).toMatchObject({ globalVersion: 5, trimmed: undefined, limits: undefined });
  });

  it('has the limits of the size of data where the network sets them', () => {
    const root = Cell.fromBoc(CONFIG_BOC)[0]!;
    const params = root.beginParse().loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
    const size = beginCell()
      .storeUint(1, 8)
      .storeUint(1 << 21, 32)
      .storeUint(1 << 13, 32)
      .storeUint(1000, 32);
    params.set(43, size.storeUint(512, 16).storeUint(65_535, 32).storeUint(512, 16).endCell());
    const { limits: part } = prepareConfig(boc(beginCell().storeDictDirect(params).endCell()));
    const kept = Cell.fromBase64(part!.text).beginParse();
    const keys = kept.loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell()).keys();
    expect(keys.sort((a, b) => a - b)).toEqual([8, 43]);
  });
});

describe('config with pruned branches', () => {
  it('is rejected by the emulator, so it cannot replace a trimmed one', async () => {
    const root = Cell.fromBoc(CONFIG_BOC)[0]!;
    const [left, right] = root.refs as [Cell, Cell];
    const pruned = beginCell()
      .storeUint(0x0101, 16)
      .storeBuffer(left.hash())
      .storeUint(left.depth(), 16)
      .endCell({ exotic: true });
    const text = boc(new Cell({ bits: root.bits, refs: [pruned, right] })).toString('base64');
    expect(await reply(codeRun('FF0071'), [{ key: full.key, text }])).toEqual({
      type: 'refused',
      text: "Can't set params",
    });
  });
});
