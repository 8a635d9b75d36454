import { describe, expect, it } from 'vitest';
import { WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { parseGlobalConfig } from '../../../src/lite/global-config.ts';
import { globalConfigJson } from '../../../src/localnet/chain/start-localnet.ts';

const zeroStateId = {
  workchain: -1,
  shard: WHOLE_SHARD,
  seqno: 0,
  rootHash: Buffer.alloc(32, 1),
  fileHash: Buffer.alloc(32, 2),
};
const publicKey = Buffer.alloc(32, 3);

describe('the global config of a local chain', () => {
  it.each(['127.0.0.1', '192.168.7.200'])('points lite clients to %s', (host) => {
    const config = parseGlobalConfig(globalConfigJson({ zeroStateId }, { host, port: 4443, publicKey }));
    expect(config).toEqual({
      liteServers: [{ index: 0, host, port: 4443, publicKey }],
      zeroState: zeroStateId,
      initBlock: zeroStateId,
      hardforks: [],
    });
  });

  it('has the members that other readers expect', () => {
    const text = globalConfigJson({ zeroStateId }, { host: '255.0.0.1', port: 1, publicKey });
    expect(JSON.parse(text)).toMatchObject({
      '@type': 'config.global',
      liteservers: [{ ip: -16777215, id: { '@type': 'pub.ed25519' } }],
      validator: { '@type': 'validator.config.global', zero_state: { '@type': 'tonNode.blockIdExt' } },
    });
    expect(text).toContain('"shard": -9223372036854775808,');
  });

  it.each(['localhost', '::1', ''])('rejects the host %j', (host) => {
    expect(() => globalConfigJson({ zeroStateId }, { host, port: 1, publicKey })).toThrow('an IPv4 address');
  });
});
