import { inCoins } from './coin.ts';

/** Meanings of exit codes of the compute phase; those from 256 on are the contract's own. */
const COMPUTE: Readonly<Record<number, string>> = {
  0: 'success',
  1: 'success (alternative)',
  2: 'stack underflow',
  3: 'stack overflow',
  4: 'integer overflow or division by zero',
  5: 'integer out of range',
  6: 'invalid opcode',
  7: 'wrong type on the stack',
  8: 'cell overflow: too much was written',
  9: 'cell underflow: more was read than there is',
  10: 'dictionary error',
  11: 'unknown error, often a get-method that does not exist',
  12: 'fatal error of the virtual machine',
  13: 'out of gas',
  14: 'virtualization error: a pruned cell was read',
};

/** Codes that both phases may have, and codes that compilers give. */
const ACTION: Readonly<Record<number, string>> = {
  0: 'success',
  32: 'action list is invalid',
  33: 'too many actions',
  34: 'action is invalid or not supported',
  35: 'invalid source address in an outgoing message',
  36: 'invalid destination address in an outgoing message',
  37: 'not enough TON',
  38: 'not enough extra currencies',
  39: 'outgoing message does not fit into a cell',
  40: 'message cannot be processed: too large, or fees cannot be paid',
  41: 'library reference is null',
  42: 'library change failed',
  43: 'library limits exceeded, or state too large',
  50: 'account state too large',
};

const COMPILER: Readonly<Record<number, string>> = {
  128: 'null reference',
  129: 'invalid serialization prefix',
  130: 'message not recognised by the contract',
  131: 'constraint of the contract violated',
  132: 'access denied',
  133: 'contract stopped',
  134: 'invalid argument',
  135: 'code of a contract not found',
  136: 'invalid standard address',
  138: 'not a basechain address',
  65535: 'message not recognised by the contract',
};

/** Codes of the two jetton wallets in use. */
const JETTON_WALLET: Readonly<Record<number, string>> = {
  47: 'not enough jettons',
  48: 'not enough TON for gas',
  72: 'unknown operation',
  73: 'sender is not the owner',
  74: 'sender is not a jetton wallet',
  333: 'wrong workchain',
  705: 'sender is not the owner',
  706: 'not enough jettons',
  707: 'sender is neither the minter nor a jetton wallet',
  708: 'no forward payload',
  709: 'not enough TON for the transfer',
};

/** An exit code of the compute phase in words; what a code means may depend on what the contract is. */
export function exitCodeText(code: number, interfaces: readonly string[] = []): string {
  const own = interfaces.includes('jetton_wallet') ? JETTON_WALLET[code] : undefined;
  if (own !== undefined) return own;
  // The virtual machine reports running out of gas as the complement of 13.
  if (code === -14) return 'out of gas';
  return inCoins(
    COMPUTE[code] ??
      COMPILER[code] ??
      ACTION[code] ??
      (code >= 256 ? 'error of the contract' : 'unknown code'),
  );
}

export function resultCodeText(code: number): string {
  return inCoins(ACTION[code] ?? COMPUTE[code] ?? 'unknown code');
}

const SKIPPED: Readonly<Record<string, string>> = {
  no_state: 'the account has no code',
  bad_state: 'the code that came with the message does not belong to the account',
  no_gas: 'not enough TON for gas',
  suspended: 'the account is suspended',
};

export function skipReasonText(reason: string): string {
  return inCoins(SKIPPED[reason] ?? reason.replaceAll('_', ' '));
}
