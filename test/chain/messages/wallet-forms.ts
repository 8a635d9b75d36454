/** The types of bodies of wallets with numbers that they are used with: how many messages and other actions. */
export const WALLET_FORMS: readonly [type: string, numbers: readonly number[]][] = [
  ['W5MsgBody', [1, 0]],
  ['W5MsgBody', [4, 2]],
  ['W5MsgBody', [0, 1]],
  ['HighloadV3InternalRequest', [3]],
  ['PreprocessedWalletV2MsgBody', [1]],
  ['PreprocessedWalletV2MsgBody', [4]],
  ['HighloadV3MsgBody', []],
  ['HighloadV2MsgBody', []],
  ['HighloadV1MsgBody', []],
  ['W4MsgBody', [0]],
  ['W4MsgBody', [4]],
  ['W3MsgBody', [1]],
  ['W3MsgBody', [3]],
  ['W1W2MsgBody', [0]],
  ['W1W2MsgBody', [2]],
];
