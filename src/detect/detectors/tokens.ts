import { accountKey } from '../../chain/address.ts';
import { readJettonMaster, readJettonWallet } from '../../chain/contracts/jetton.ts';
import { readNftCollection, readNftItem } from '../../chain/contracts/nft.ts';
import {
  type ContractReader,
  mismatchOnCellError,
  undefinedOnMismatch,
} from '../../chain/contracts/probe.ts';
import { MAX_STORED_CONTENT_BYTES, toStoredContent } from '../../chain/contracts/token-content.ts';
import type { Detector } from '../detection.ts';
import { readDomainName, zoneOf } from './dns-entry.ts';
import { accountOrNull, ResultColumns } from './result-columns.ts';

export const JETTON_MASTER: Detector<'jetton_masters'> = {
  table: 'jetton_masters',
  methods: [['get_jetton_data']],
  async detect(probe) {
    const master = await readJettonMaster(probe, {
      maxContentBytes: MAX_STORED_CONTENT_BYTES,
      allowsAnyAdmin: true,
    });
    const { cells, cell } = master.walletCode;
    return {
      total_supply: master.totalSupply,
      mintable: master.mintable,
      admin: accountOrNull(master.admin),
      content: toStoredContent(master.content),
      wallet_code_hash: mismatchOnCellError(() => cells.hash(cell)),
      mintless_root: (await undefinedOnMismatch(readMintlessRoot(probe))) ?? null,
    };
  },
};

/** The hash of the dictionary of airdrops of a mintless jetton (TEP-177). */
async function readMintlessRoot(probe: ContractReader): Promise<Buffer> {
  return new ResultColumns(await probe.run('get_mintless_airdrop_hashmap_root')).bits256(0);
}

/** A jetton wallet that its master confirms. */
export const JETTON_WALLET: Detector<'jetton_wallets'> = {
  table: 'jetton_wallets',
  methods: [['get_wallet_data']],
  async detect(probe) {
    const { balance, owner, jetton, isClaimed = null } = await readJettonWallet(probe);
    return {
      balance,
      owner: accountKey(owner.workchain, owner.hash),
      jetton: accountKey(jetton.workchain, jetton.hash),
      mintless_is_claimed: isClaimed,
    };
  },
};

export const NFT_COLLECTION: Detector<'nft_collections'> = {
  table: 'nft_collections',
  methods: [['get_collection_data']],
  async detect(probe) {
    const { nextItemIndex, owner, content } = await readNftCollection(probe, MAX_STORED_CONTENT_BYTES);
    return {
      next_item_index: nextItemIndex,
      owner: accountOrNull(owner),
      content: toStoredContent(content),
    };
  },
};

/** An NFT item that its collection confirms; the content of a domain includes its name. */
export const NFT_ITEM: Detector<'nft_items'> = {
  table: 'nft_items',
  methods: [['get_nft_data']],
  async detect(probe, { zones }) {
    const { init, index, collection, owner, content } = await readNftItem(probe, MAX_STORED_CONTENT_BYTES);
    const zone = zoneOf(zones, collection);
    const domain = zone && (await undefinedOnMismatch(readDomainName(probe, zone)));
    return {
      init,
      index,
      collection: accountOrNull(collection),
      owner: accountOrNull(owner),
      content: { ...toStoredContent(content), ...(domain !== undefined && { domain }) },
    };
  },
};
