import { accountKey } from '../../../chain/address/account-key.ts';
import { readJettonWallet } from '../../../chain/contracts/read-jetton-wallet.ts';
import type { Detector } from '../detector.ts';

/** A wallet of a jetton, if the jetton agrees to it. */
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
