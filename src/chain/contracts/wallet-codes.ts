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

/** A contract of a wallet or close to one, known by the hash of its code. */
export interface WalletCode {
  /** The interface label of the index. */
  readonly label: string;
  /** Only the plain wallets have one: addresses of others are shown bounceable, and they are no wallets to clients. */
  readonly type?: WalletType;
  readonly layout?: WalletLayout;
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

/** Wallets by the hash of their code in base64. */
const WALLET_CODES: ReadonlyMap<string, WalletCode> = new Map<string, WalletCode>([
  plain('oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=', 'wallet_v1r1', 'wallet v1 r1', V1),
  plain('1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=', 'wallet_v1r2', 'wallet v1 r2', V1),
  plain('WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=', 'wallet_v1r3', 'wallet v1 r3', V1),
  plain('XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=', 'wallet_v2r1', 'wallet v2 r1', V1),
  plain('/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=', 'wallet_v2r2', 'wallet v2 r2', V1),
  plain('thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=', 'wallet_v3r1', 'wallet v3 r1', V3),
  plain('hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=', 'wallet_v3r2', 'wallet v3 r2', V3),
  plain('ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=', 'wallet_v4r1', 'wallet v4 r1', V3),
  plain('/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=', 'wallet_v4r2', 'wallet v4 r2', V3),
  plain('89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=', 'wallet_v5_beta', 'wallet v5 beta', V5_BETA),
  plain('IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=', 'wallet_v5r1', 'wallet v5 r1', V5),
  // The code itself, of which the hash above is that of the library reference.
  other('5M87L0xtamHqDytUR9JmeFsmrzY32y3u5rzRqoJvNBI=', 'wallet_v5_beta', V5_BETA),
  other('2M27t58sXKpnesRQdwvgNRviHhJQSG3oXMUqoz3RZIQ=', 'wallet_highload_v1r1', V3),
  other('Dc7tISadZgE+lbGfu1xVpvAa2tQIN7qo5SHN46AqpGw=', 'wallet_highload_v1r2', V3),
  other('lJTRzI7fEvBWcaGpugmSEJbrUIEeGSTsZcPGKfu4CBI=', 'wallet_highload_v2', HIGHLOAD_V2),
  other('jOtFs81LXMYOquHBO5wJI5Jnf+U2sumy2AG2Lv+TH+E=', 'wallet_highload_v2r1', HIGHLOAD_V2),
  other('ID3U81ittJmTEpqpJcrDmRa2ig5PeNJujywraer6Vnk=', 'wallet_highload_v2r2', HIGHLOAD_V2),
  other('EayteVWEQJDyg78ji8FEmHH3g+fMCXlAjT9IWUg+hSU=', 'wallet_highload_v3r1', HIGHLOAD_V3),
  other('Reu86bXSNYhstr/hw62TtwjeBYJEiSNlye4N/kOct7U=', 'wallet_preprocessed_v2', PREPROCESSED_V2),
  other('tItTGr7DtxRjgpH3137W3J9qJynvyiBHcTc3TUrotZA=', 'wallet_vesting', V3),
  other('09FNqaYn8Ow1MzQYKXYq+SuVQLIb8DZl+sCcK0bqu6w=', 'multisig_v2'),
  other('oB4Ff71CiEArmJjXjWe9TpAlTJPFhmh5vC0dEoZUNrw=', 'multisig_order_v2'),
]);

/** The wallet whose code has this hash, if it is a known one. */
export function walletCodeOf(codeHash: Buffer): WalletCode | undefined {
  return WALLET_CODES.get(codeHash.toString('base64'));
}

function plain(hash: string, label: string, type: WalletType, layout: WalletLayout): [string, WalletCode] {
  return [hash, { label, type, layout }];
}

function other(hash: string, label: string, layout?: WalletLayout): [string, WalletCode] {
  return [hash, layout === undefined ? { label } : { label, layout }];
}
