import { readMethodIds } from '../../src/chain/contracts/method-ids.ts';
import { codeCell } from '../../src/localnet/contracts/contract.ts';
import {
  JETTON_MINTER_CODE,
  JETTON_WALLET_CODE,
  NFT_ITEM_CODE,
} from '../../src/localnet/contracts/tolk/compiled.ts';
import { KNOWN_WALLET_CODES } from '../../src/localnet/contracts/wallet-codes.ts';

/** A row of `contract_codes`. */
export interface CodeRow {
  readonly hash: Buffer;
  readonly boc: Buffer;
  readonly methods: readonly number[] | null;
}

/** The codes of accounts, by the last digit of their number: most are wallets. */
export function contractCodes(): readonly CodeRow[] {
  const [wallet, jettonWallet, item, minter] = [
    KNOWN_WALLET_CODES.v3r2,
    JETTON_WALLET_CODE,
    NFT_ITEM_CODE,
    JETTON_MINTER_CODE,
  ].map((compiled) => {
    const code = codeCell(compiled);
    const boc = code.toBoc({ idx: false, crc32: false });
    return { hash: code.hash(), boc, methods: readMethodIds(boc) ?? null };
  }) as [CodeRow, CodeRow, CodeRow, CodeRow];
  return [...Array.from({ length: 6 }, () => wallet), jettonWallet, jettonWallet, item, minter];
}
