import type { BlockId } from '../chain/block-id.ts';
import { WHOLE_SHARD } from '../chain/block-id.ts';
import { parseJson } from '../lib/parse-json.ts';
import { ConfigFault, ConfigMember } from './config-member.ts';

/** Where a lite server is, and the key it must have. */
export interface LiteServerAddress {
  /** Position in the config; it names the server in `@extra`. */
  readonly index: number;
  readonly host: string;
  readonly port: number;
  /** 32 bytes. */
  readonly publicKey: Buffer;
}

/** What a network's global config says, as far as lite servers go. */
export interface GlobalConfig {
  readonly liteServers: readonly LiteServerAddress[];
  readonly zeroState: BlockId;
  /** A masterchain block that is trusted without proof; the zero state when the config names none. */
  readonly initBlock: BlockId;
  readonly hardforks: readonly BlockId[];
}

/** The configs in use are nested six deep. */
const MAX_DEPTH = 64;

/** Reads the text of a global config. Members that are not needed are not looked at. Throws ConfigFault. */
export function parseGlobalConfig(text: string): GlobalConfig {
  const config = new ConfigMember(parse(text));
  const liteServers = readLiteServers(config);
  if (liteServers.length === 0) throw new ConfigFault('liteservers names no lite server');
  const validator = config.at('validator');
  const zeroState = validator.at('zero_state').masterchainBlock();
  const initBlock = validator.at('init_block');
  const hardforks = validator.at('hardforks');
  return {
    liteServers,
    zeroState,
    initBlock: initBlock.isGiven ? initBlock.masterchainBlock() : zeroState,
    hardforks: hardforks.isGiven ? hardforks.items().map((block) => block.masterchainBlock()) : [],
  };
}

function parse(text: string): unknown {
  try {
    return parseJson(text, MAX_DEPTH);
  } catch (error) {
    throw new ConfigFault(`it is not JSON: ${(error as Error).message}`);
  }
}

/** `liteservers`, and those of `liteservers_v2` that know all shards: we route by block, not by shard. */
function readLiteServers(config: ConfigMember): LiteServerAddress[] {
  const plain = config.at('liteservers');
  const sliced = config.at('liteservers_v2');
  const entries = [
    ...(plain.isGiven || !sliced.isGiven ? plain.items() : []),
    ...(sliced.isGiven ? sliced.items().filter(knowsAllShards) : []),
  ];
  return entries.map((entry, index) => ({
    index,
    host: dottedAddress(entry.at('ip').integer(-(2 ** 31), 2 ** 32 - 1)),
    port: entry.at('port').integer(1, 65_535),
    publicKey: entry.at('id').at('key').hash(),
  }));
}

function knowsAllShards(entry: ConfigMember): boolean {
  const slices = entry.at('slices');
  if (!slices.isGiven || slices.items().length === 0) return true;
  return slices.items().some((slice) => {
    // A slice that is bound to a time has no `shards`.
    const shards = slice.at('shards');
    return shards.isGiven && shards.items().some((shard) => shard.at('shard').long() === WHOLE_SHARD);
  });
}

/** Configs hold an IPv4 address as a signed 32-bit number. */
function dottedAddress(ip: number): string {
  return [ip >>> 24, (ip >>> 16) & 0xff, (ip >>> 8) & 0xff, ip & 0xff].join('.');
}
