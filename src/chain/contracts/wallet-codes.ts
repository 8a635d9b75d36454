import { type CodeInterface, interfaceOfCode } from './interface-codes.ts';

/** The names that both interfaces have for the wallets that they decode. */
export type WalletType =
  | 'wallet v1 r1'
  | 'wallet v1 r2'
  | 'wallet v1 r3'
  | 'wallet v2 r1'
  | 'wallet v2 r2'
  | 'wallet v3 r1'
  | 'wallet v3 r2'
  | 'wallet v4 r1'
  | 'wallet v4 r2'
  | 'wallet v5 beta'
  | 'wallet v5 r1';

/** At which bit of the data a wallet keeps what; what it does not keep is left out. */
export interface WalletLayout {
  /** One bit: whether the wallet takes messages that its key has signed. */
  readonly signatureAllowed?: number;
  /** 32 bits. */
  readonly seqno?: number;
  /** 32 bits. */
  readonly walletId?: number;
  /** 256 bits. */
  readonly publicKey: number;
}

/** A wallet that is known by the hash of its code. */
export interface WalletCode {
  /** The interface label of the index. */
  readonly label: CodeInterface;
  /** Only the plain wallets have one: addresses of others are shown bounceable, and they are no wallets to clients. */
  readonly type?: WalletType;
  readonly layout: WalletLayout;
}

const V1: WalletLayout = { seqno: 0, publicKey: 32 };
const V3: WalletLayout = { seqno: 0, walletId: 32, publicKey: 64 };
const V5: WalletLayout = { signatureAllowed: 0, seqno: 1, walletId: 33, publicKey: 65 };
// Really 33 bits of seqno and 80 of wallet id, of which the first 32 are the network. Read like v5 r1 because existing
// servers do: the seqno is right, the signature bit always 0.
const V5_BETA: WalletLayout = { signatureAllowed: 0, seqno: 1, walletId: 33, publicKey: 113 };
const HIGHLOAD_V2: WalletLayout = { walletId: 0, publicKey: 96 };
const HIGHLOAD_V3: WalletLayout = { publicKey: 0, walletId: 256 };
// Its seqno has 16 bits.
const PREPROCESSED_V2: WalletLayout = { publicKey: 0 };

/** What wallets are to clients, by their interface labels. */
const WALLETS: Readonly<Partial<Record<CodeInterface, Omit<WalletCode, 'label'>>>> = {
  wallet_v1r1: { type: 'wallet v1 r1', layout: V1 },
  wallet_v1r2: { type: 'wallet v1 r2', layout: V1 },
  wallet_v1r3: { type: 'wallet v1 r3', layout: V1 },
  wallet_v2r1: { type: 'wallet v2 r1', layout: V1 },
  wallet_v2r2: { type: 'wallet v2 r2', layout: V1 },
  wallet_v3r1: { type: 'wallet v3 r1', layout: V3 },
  wallet_v3r2: { type: 'wallet v3 r2', layout: V3 },
  wallet_v4r1: { type: 'wallet v4 r1', layout: V3 },
  wallet_v4r2: { type: 'wallet v4 r2', layout: V3 },
  wallet_v5_beta: { type: 'wallet v5 beta', layout: V5_BETA },
  wallet_v5r1: { type: 'wallet v5 r1', layout: V5 },
  wallet_highload_v1r1: { layout: V3 },
  wallet_highload_v1r2: { layout: V3 },
  wallet_highload_v2: { layout: HIGHLOAD_V2 },
  wallet_highload_v2r1: { layout: HIGHLOAD_V2 },
  wallet_highload_v2r2: { layout: HIGHLOAD_V2 },
  wallet_highload_v3r1: { layout: HIGHLOAD_V3 },
  wallet_preprocessed_v2: { layout: PREPROCESSED_V2 },
  wallet_vesting: { layout: V3 },
};

/** The code of v5 beta itself. Its accounts have a reference to it as a library, and only they are plain wallets. */
const V5_BETA_LIBRARY = Buffer.from('5M87L0xtamHqDytUR9JmeFsmrzY32y3u5rzRqoJvNBI=', 'base64');

/** The wallet whose code has this hash, if it is a known one. */
export function walletCodeOf(codeHash: Buffer): WalletCode | undefined {
  const label = interfaceOfCode(codeHash);
  if (label === undefined) return undefined;
  const wallet = WALLETS[label];
  if (wallet === undefined) return undefined;
  if (codeHash.equals(V5_BETA_LIBRARY)) return { label, layout: wallet.layout };
  return { label, ...wallet };
}
