import { describe, expect, it } from 'vitest';
import { withoutDebugLog } from '../../src/vm/worker/debug-log.ts';
import { compileEmulator, Emulator } from '../../src/vm/worker/emulator.ts';
import { ADDRESS, boc, config, hexCell, UTIME } from './built-data.ts';

/** `i32.const …; i32.const 4; i32.store` */
const store = (...address: readonly number[]) => [0x41, ...address, 0x41, 4, 0x36, 2, 0];
const LEVEL = [0x88, 0xb4, 0xe2, 0];
const OTHER = [0x89, 0xb4, 0xe2, 0];
const NOP = 1;

describe('debug log of the emulator', () => {
  it('is off, with the same log of TVM', async () => {
    const emulator = await Emulator.create(await compileEmulator());
    const params = {
      code: boc(hexCell('FF0071')).toString('base64'),
      data: boc(hexCell('')).toString('base64'),
      verbosity: 0,
      libs: '',
      prev_blocks_info: '',
      address: ADDRESS,
      unixtime: UTIME,
      balance: '0',
      rand_seed: '0'.repeat(64),
      gas_limit: '1000',
      method_id: 0,
      debug_enabled: false,
    };
    const noArguments = 'te6ccgEBAQEABQAABgAAAA==';
    const result = emulator.callJson(
      '_run_get_method',
      JSON.stringify(params),
      noArguments,
      config.limits!.text,
    );
    expect(result).toMatchObject({ output: { success: true, vm_exit_code: 0 }, logs: '' });
    expect(result.output!.vm_log).toBe('execute SETCP 0\nexecute PUSHINT 1\nexecute implicit RET\n');
  });

  it('is turned off in both kinds of runs and nowhere else', () => {
    const copied = [0x41, 4, 0x36, 2, 4];
    const emulator = Uint8Array.from([...store(...LEVEL), NOP, ...copied, NOP, ...store(...LEVEL)]);
    const patched = withoutDebugLog(emulator);
    const changed = [...emulator.keys()].filter((at) => emulator[at] !== patched[at]);
    expect(changed.map((at) => patched[at])).toEqual([0, 0]);
    expect(changed).toEqual([6, emulator.length - 4]);
  });

  it.each([
    ['one place', [...store(...LEVEL)]],
    ['three places', [...store(...LEVEL), ...store(...LEVEL), ...store(...LEVEL)]],
    ['two addresses', [...store(...LEVEL), ...store(...OTHER)]],
    ['an address that is no constant', [...store(...LEVEL), 0x20, 1, ...store().slice(1)]],
    ['no place', []],
  ])('refuses a build with %s', (_name, code) => {
    expect(() => withoutDebugLog(Uint8Array.from([NOP, ...code]))).toThrow('unknown build of the emulator');
  });
});
