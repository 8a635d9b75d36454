import { orNotThat } from '../../../chain/contracts/not-that.ts';
import { readJettonMaster } from '../../../chain/contracts/read-jetton-master.ts';
import { MAX_STORED_CONTENT_BYTES, toStoredContent } from '../../../chain/contracts/token-content.ts';
import type { Detector } from '../detector.ts';
import { accountOrNull } from './account-or-null.ts';

/** A jetton. */
export const JETTON_MASTER: Detector<'jetton_masters'> = {
  table: 'jetton_masters',
  methods: [['get_jetton_data']],
  async detect(probe) {
    const master = await readJettonMaster(probe, MAX_STORED_CONTENT_BYTES);
    const { cells, cell } = master.walletCode;
    return {
      total_supply: master.totalSupply,
      mintable: master.mintable,
      admin: accountOrNull(master.admin),
      content: toStoredContent(master.content),
      wallet_code_hash: orNotThat(() => cells.hash(cell)),
    };
  },
};
