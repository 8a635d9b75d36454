import { type Cells, undefinedOnCellError } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { readDictionary } from '../tlb/dictionary.ts';
import { type PaymentChannel, readPaymentChannel } from './payment-channel.ts';

/** An account as v2 shows it, with its decoded data. */
export type RecognisedAccount = { readonly revision: number } & (
  | { readonly kind: 'uninited' | 'raw' }
  | {
      readonly kind: 'wallet.v3' | 'wallet.v4' | 'wallet.highload.v1';
      readonly walletId: number;
      readonly seqno: number;
    }
  | { readonly kind: 'wallet.highload.v2' | 'dns'; readonly walletId: number }
  | { readonly kind: 'rwallet'; readonly wallet: RestrictedWallet }
  | { readonly kind: 'pchan'; readonly channel: PaymentChannel }
);

const UNINITED: RecognisedAccount = Object.freeze({ kind: 'uninited', revision: 0 });
const RAW: RecognisedAccount = Object.freeze({ kind: 'raw', revision: 0 });

/**
 * Recognises an account by its code and reads its data; cells are numbers, -1 where absent. An account with
 * data that does not match its code is `raw`.
 */
export function recogniseAccount(cells: Cells, code: number, data: number): RecognisedAccount {
  if (code < 0) return UNINITED;
  const kind = accountKindOf(cells.hash(code, 0));
  if (kind === undefined) return RAW;
  return undefinedOnCellError(() => readOfKind(kind, cells, data)) ?? RAW;
}

function readOfKind({ kind, revision }: AccountKind, cells: Cells, data: number): RecognisedAccount {
  if (kind === 'wallet.highload.v2' || kind === 'dns')
    return { kind, revision, walletId: data < 0 ? 0 : new Slice(cells, data).uint(32) };
  if (data < 0) return RAW;
  if (kind === 'rwallet') return { kind, revision, wallet: readRestrictedWallet(cells, data) };
  if (kind === 'pchan') return { kind, revision, channel: readPaymentChannel(cells, data) };
  const slice = new Slice(cells, data);
  const seqno = slice.uint(32);
  return { kind, revision, walletId: slice.uint(32), seqno };
}

interface AccountKind {
  readonly kind: Exclude<RecognisedAccount['kind'], 'uninited' | 'raw'>;
  /** -1 is the build of the newest sources. */
  readonly revision: number;
}

/**
 * Kinds by code hash in base64. Revision -1 was built with FunC 0.4.6 from the sources in the node's
 * repository; highload v2 was also seen in a response of tonlib. Widespread builds by other compilers count as -1.
 */
const KINDS: ReadonlyMap<string, AccountKind> = new Map<string, AccountKind>([
  ['thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=', { kind: 'wallet.v3', revision: 1 }],
  ['hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=', { kind: 'wallet.v3', revision: 2 }],
  ['/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=', { kind: 'wallet.v4', revision: 2 }],
  ['jOtFs81LXMYOquHBO5wJI5Jnf+U2sumy2AG2Lv+TH+E=', { kind: 'wallet.highload.v2', revision: 1 }],
  ['CzqIeurNKn1Au1VQvJJTFWoCkGWu+21rWDc11Y2p1b4=', { kind: 'wallet.highload.v2', revision: 2 }],
  ['lJTRzI7fEvBWcaGpugmSEJbrUIEeGSTsZcPGKfu4CBI=', { kind: 'wallet.highload.v2', revision: -1 }],
  ['ID3U81ittJmTEpqpJcrDmRa2ig5PeNJujywraer6Vnk=', { kind: 'wallet.highload.v2', revision: -1 }],
  ['2M27t58sXKpnesRQdwvgNRviHhJQSG3oXMUqoz3RZIQ=', { kind: 'wallet.highload.v1', revision: 1 }],
  ['NowDly5fTCRBK4GGUt4d4qJjDRwBFgmZnf90X7NoSa0=', { kind: 'wallet.highload.v1', revision: 2 }],
  ['CrH/k6nnnA3v9EBdja1rWsn4wBsvHry0JZ/rnpg4AJk=', { kind: 'wallet.highload.v1', revision: -1 }],
  ['Dc7tISadZgE+lbGfu1xVpvAa2tQIN7qo5SHN46AqpGw=', { kind: 'wallet.highload.v1', revision: -1 }],
  ['oNZ9LeiRn+e3yndlLM1P3FbGid56aRYeRfsNzF5HwVU=', { kind: 'dns', revision: 1 }],
  ['c1Ot4+H3y+3FJbPnvDIm/lrIJ2+lJ5rDf7bvvIj0Irc=', { kind: 'dns', revision: -1 }],
  ['Da+y0ZPcWqW+4h62BwUQypR10vDW62Ks+b8Ckjznjgs=', { kind: 'pchan', revision: -1 }],
  ['jTUEm5Rs8ztYUQu0VgyEGpRfd4HW3p/GnKP0MPbjInM=', { kind: 'rwallet', revision: 1 }],
]);

export function accountKindOf(codeHash: Buffer): AccountKind | undefined {
  return KINDS.get(codeHash.toString('base64'));
}

export type RestrictedWallet = Readonly<ReturnType<typeof readRestrictedWallet>>;

export function readRestrictedWallet(cells: Cells, data: number) {
  const slice = new Slice(cells, data);
  const seqno = slice.uint(32);
  const walletId = slice.uint(32);
  slice.skip(256);
  const startAt = slice.uint(32);
  const limits = readDictionary(cells, slice.maybeRef(), 32, (key, value) => ({
    /** Seconds after the start; may be negative. */
    seconds: key.readInt32BE(0),
    /** How much stays locked from then on. */
    value: value.coins(),
  }));
  return {
    seqno,
    walletId,
    /** Unix time; 0 if the network configuration defines it. */
    startAt,
    /** In ascending order of their seconds. */
    limits: limits.sort((a, b) => a.seconds - b.seconds),
  };
}

/**
 * The amount that a restricted wallet may spend at a time, as in its get-method `balance`: the last limit reached stays locked.
 * `networkStart` is config param -13, 0 if it is missing.
 */
export function unlockedBalance(
  { startAt, limits }: RestrictedWallet,
  balance: bigint,
  now: number,
  networkStart = 0,
): bigint {
  const start = startAt || networkStart;
  const passed = start === 0 ? -1 : now - start;
  const locked = limits.findLast(({ seconds }) => seconds <= passed)?.value ?? 0n;
  return balance > locked ? balance - locked : 0n;
}
