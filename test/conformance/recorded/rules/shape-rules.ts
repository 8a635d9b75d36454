import type { Case, Outcome, Rule } from '../case.ts';
import type { Json } from '../recorded-files.ts';
import { rawUpper } from '../tonlib-as-contract.ts';

/** Differences in form between the Python service and the contract, one rule per row of the contract's section 20. */
export const shapeRules: readonly Rule[] = [
  python('detectAddress has @type', 'detectAddress', '20', (result) => ({
    '@type': 'ext.utils.detectedAddress',
    ...result,
    bounceable: { '@type': 'ext.utils.detectedAddressVariant', ...result.bounceable },
    non_bounceable: { '@type': 'ext.utils.detectedAddressVariant', ...result.non_bounceable },
  })),
  python('raw_form is in lower case', 'detectAddress', '8.1', (result) => ({
    ...result,
    raw_form: result.raw_form.toLowerCase(),
  })),
  python('packAddress returns base64url', 'packAddress', '20', (result) =>
    result.replaceAll('+', '-').replaceAll('/', '_'),
  ),
  python('unpackAddress returns upper case', 'unpackAddress', '20', (result) => result.toUpperCase()),
  python('a balance is always a string', 'getAddressInformation|getWalletInformation', '20', (result) => ({
    ...result,
    balance: String(result.balance),
  })),
  python('a missing account has the balance 0', 'getExtendedAddressInformation', '7.2', (result) => ({
    ...result,
    balance: result.balance === '-1' ? '0' : result.balance,
  })),
  python('getAddressInformation has suspended', 'getAddressInformation', '20', (result) => ({
    ...result,
    suspended: false,
  })),
  python('64-bit members of account states are numbers', 'getExtendedAddressInformation', '20', (result) => ({
    ...result,
    account_state: {
      ...result.account_state,
      ...(typeof result.account_state.wallet_id === 'string' && {
        wallet_id: Number(result.account_state.wallet_id),
      }),
    },
  })),
  python('getWalletInformation has @type', 'getWalletInformation', '20', (result) => ({
    '@type': 'ext.accounts.walletInformation',
    ...result,
  })),
  python(
    'getWalletInformation has no extra currencies',
    'getWalletInformation',
    '20',
    ({ extra_currencies: _, ...result }) => result,
  ),
  python('transactions of an account are ext.transaction', 'getTransactions', '20', (result) =>
    result.map(extTransaction),
  ),
  python(
    'a located transaction is an ext.transaction',
    'tryLocate(?:Result|Source)?Tx',
    '20',
    extTransaction,
  ),
  python('transactions of a block are raw.transactionExt', 'getBlockTransactionsExt', '20', (result) => ({
    ...result,
    transactions: result.transactions.map((transaction: Json) => ({
      ...transaction,
      '@type': 'raw.transactionExt',
      account: rawUpper(transaction.address.account_address),
    })),
  })),
  {
    name: 'getBlockHeader has no flags and vert_seqno',
    kind: 'intended',
    where: '20',
    why: 'the newer service does not print them, and the schema of the contract is closed',
    change: (want, { operation }) => {
      if (operation !== 'getBlockHeader' || want.status !== 200) return undefined;
      const { flags: _, vert_seqno: __, ...result } = want.result;
      return { ...want, result };
    },
  },
  python(
    'getTokenData has @type and address, and integers as strings',
    'getTokenData',
    '20',
    (result, testCase) => ({
      '@type': TOKEN_TYPES[result.contract_type],
      address: testCase.params.address,
      ...Object.fromEntries(
        Object.entries(result).map(([key, value]) => [
          key,
          typeof value === 'number' ? String(value) : value,
        ]),
      ),
    }),
  ),
  python('the last byte of cell data keeps its completion bit', 'runGetMethod', '13.2', (result) => ({
    ...result,
    stack: result.stack.map(([type, value]: Json) => [
      type,
      value?.object === undefined ? value : { ...value, object: withCompletion(value.object) },
    ]),
  })),
  {
    name: 'a get-method has 4 000 000 gas',
    kind: 'intended',
    where: '20',
    why: 'the recorded library allows 1 000 000; the loop ends in the step that exceeds the limit',
    change: (want, { operation }) => {
      if (!/^runGetMethod/.test(operation) || want.result?.exit_code !== -14) return undefined;
      const stack = JSON.stringify(want.result.stack)
        .replace('"1000010"', `"${OUT_OF_GAS}"`)
        .replace('"0xf424a"', `"0x${OUT_OF_GAS.toString(16)}"`);
      return { ...want, result: { ...want.result, gas_used: OUT_OF_GAS, stack: JSON.parse(stack) } };
    },
  },
  {
    name: 'runGetMethodStd fails if the method fails',
    kind: 'intended',
    where: '0',
    why: 'the description of the service says so; the classic runGetMethod returns the exit code',
    change: (want, { operation }) => {
      const code = want.result?.exit_code;
      if (operation !== 'runGetMethodStd' || code === undefined || code === 0) return undefined;
      return { status: 500, error: `Exit code ${code} != 0` };
    },
  },
  {
    name: 'a JSON-RPC id keeps its type, also in errors',
    kind: 'intended',
    where: '3',
    why: 'the Python service converts it to a string, and leaves it out of errors',
    change: (want, { transport, request }) => {
      const sent = request.payload;
      if (transport !== 'rpc' || request.method !== 'POST' || typeof sent !== 'object' || Array.isArray(sent))
        return undefined;
      return { ...want, jsonrpc: '2.0', ...(sent.id !== undefined && { id: sent.id }) };
    },
  },
];

/** The gas at which the recorded endless loop stops: the first step above the limit. */
const OUT_OF_GAS = 4_000_003;

const TOKEN_TYPES: Record<string, string> = {
  jetton_master: 'ext.tokens.jettonMasterData',
  jetton_wallet: 'ext.tokens.jettonWalletData',
  nft_collection: 'ext.tokens.nftCollectionData',
  nft_item: 'ext.tokens.nftItemData',
};

/** A rule for successful responses of the Python service. */
function python(
  name: string,
  operation: string,
  where: string,
  change: (result: Json, testCase: Case) => Json,
): Rule {
  const pattern = new RegExp(`^(?:${operation})$`);
  return {
    name,
    kind: 'intended',
    where,
    why: 'the Python service uses an older form',
    change: (want: Outcome, testCase) =>
      testCase.source === 'http' && want.status === 200 && pattern.test(testCase.operation)
        ? { ...want, result: change(want.result, testCase) }
        : undefined,
  };
}

function extTransaction(transaction: Json): Json {
  return {
    ...transaction,
    '@type': 'ext.transaction',
    account: rawUpper(transaction.address.account_address),
    ...(transaction.in_msg !== undefined && { in_msg: extMessage(transaction.in_msg) }),
    out_msgs: transaction.out_msgs.map(extMessage),
  };
}

function extMessage(message: Json): Json {
  const isRaw = message.msg_data['@type'] === 'msg.dataRaw';
  return {
    ...message,
    '@type': 'ext.message',
    // The Python service adds a line break every 76 characters.
    ...(isRaw && message.message !== '' && { message: `${message.message.replaceAll('\n', '')}\n` }),
  };
}

function withCompletion({ data, refs, special }: Json): Json {
  const bytes = Buffer.from(data.b64, 'base64');
  const used = data.len % 8;
  if (used !== 0) bytes[bytes.length - 1]! |= 0x80 >> used;
  return { data: { ...data, b64: bytes.toString('base64') }, refs: refs.map(withCompletion), special };
}
