import type { CompiledCode } from '../compiled-code.ts';

/** dns-root.tolk, compiled by test/localnet/contracts/compile-contracts.ts. */
export const DNS_ROOT_CODE: CompiledCode = {
  hash: 'YafgZoxMp2rQwZCydOik92kjT4pzdhbvjVRclqztOkc=',
  boc: 'te6ccgEBBgEAegABFP8A9KQT9LzyyAsBAgFiAgMCAs8EBQBxocYYYeACQ44DJGLbwdqJofSQQa6SSa6SQ3Movgrg28Ciia4zjgsovgbg28IFQU3xkZ8V1Jwl9KWTAAsMPiR8kCAAOwg10kgwgABqTgCwACw8uBGINcLB8MAkXDg0wcxeIA==',
};
