import type { AdditionalRule } from '../../rules/additional.ts';
import type { Block, Callable } from '../../rules/block.ts';
import type { Interfaces } from '../../rules/classifier-input.ts';
import { someAccount, tryRead } from '../../rules/read-body.ts';
import { jetton } from '../jettons/layouts.ts';
import { jettonMintOf } from '../jettons/rules.ts';
import { blum, gaspump, memeslab, tonfun, uranus } from './layouts.ts';

interface Trade {
  readonly trader: string | null;
  readonly ton_amount: bigint;
  readonly jetton_amount: bigint;
  /** In TON; not all launchpads log it. */
  readonly fee?: bigint;
}

interface TradeLog extends Callable {
  read(log: Block): Trade;
}

interface UranusLog extends Pick<Trade, 'trader'> {
  readonly amount_in: bigint;
  readonly amount_out: bigint;
}

/** Anybody can write such a log, so the code of the jetton, or of its wallets, must be that of the launchpad. */
interface Launchpad {
  readonly name: string;
  readonly codes?: readonly string[];
  readonly walletCodes?: readonly string[];
  readonly buys: readonly TradeLog[];
  readonly sells: readonly TradeLog[];
}

/** Uranus logs what goes in and out. The currency of its fees is not known. */
const uranusTrade = ({ trader, amount_in: given, amount_out: taken }: UranusLog, isBuy: boolean): Trade => ({
  trader,
  ton_amount: isBuy ? given : taken,
  jetton_amount: isBuy ? taken : given,
});

const LAUNCHPADS: readonly Launchpad[] = [
  {
    name: 'gaspump',
    codes: [
      '6ox2FGgwSndqH0lxBiss6BMBM2reNTNNKPu5yjNVTRc=',
      'zHJFV4ogLC+2/uN1jCQZBs9IA3xEaUEF5kqRdWjDOlw=',
      'epVAPFfHhSCA8fFWbj5rWnMUNwUah+hGTl0yl3+VaVg=',
      's8xEFRVKnzs0e0+nHdDo1N9iOmaGHMnQexA8lf1elkU=',
      'r5eJZ7VurJARfQResj0zCr6kG6QH7tauAs0F2SGuG6U=',
      'xw8j8tT8ut2DfkUFvG62n14weRqpu/SwiITp5nBt4U4=',
    ],
    buys: [gaspump.deploy_and_buy, gaspump.buy],
    sells: [gaspump.sell],
  },
  {
    name: 'blum',
    walletCodes: [
      'pG74dG9OpmnCzpRVvhKbaTzRxjjLAh+qrFjH3wHgoWM=',
      'vxzjPsq7SyRQ6FdeBKqZiAUFxkWf+vlk6uRR4MzDKhw=',
    ],
    buys: [blum.buy],
    sells: [blum.sell],
  },
  {
    name: 'tonfun',
    walletCodes: [
      'ImgwVG3JqxaH3HK8il7cxgIQORp8YGmMT+ImYY13jWg=',
      'nbIhmy8qr5opEioRY/o0LHTdpMh5J6myPvt4nCiNuFc=',
    ],
    buys: [tonfun.buy],
    sells: [tonfun.sell],
  },
  {
    name: 'memeslab',
    walletCodes: ['ipKseGXVM3nzsWGuSptUyN721dwpyvwHemFB6YK/Kis='],
    buys: [memeslab.buy],
    sells: [memeslab.sell],
  },
  {
    name: 'uranus',
    codes: ['ci03vlGO4NS2cUB3cn7WByS/N56PFHnCILhT0a888A0='],
    buys: [{ opcode: uranus.buy.opcode, read: (log) => uranusTrade(uranus.buy.read(log), true) }],
    sells: [{ opcode: uranus.sell.opcode, read: (log) => uranusTrade(uranus.sell.read(log), false) }],
  },
];

function isOf({ codes, walletCodes }: Launchpad, master: string, interfaces: Interfaces): boolean {
  if (codes) return codes.includes(interfaces.codeHashOf(master) ?? '');
  return walletCodes?.includes(interfaces.walletCodeHashOf(master) ?? '') ?? false;
}

/** Blocks that can be the request of a trade. */
const REQUESTS: readonly string[] = ['call_contract', 'jetton_burn', 'jetton_mint'];

/** The request that led to a log, and the jettons that went to the trader for it. */
function partsOf(log: Block, master: string, trade: Trade, interfaces: Interfaces): Block[] {
  const request = log.previous;
  if (!request || !REQUESTS.includes(request.type)) return [log];
  const isPayout = (block: Block) => {
    if (block.type === 'jetton_mint') {
      const { asset, to, amount } = jettonMintOf(block);
      return asset === master && to === trade.trader && amount === trade.jetton_amount;
    }
    if (!block.calls(jetton.internal_transfer) || block.message.source !== master) return false;
    const wallet = interfaces.jettonWallet(block.message.destination ?? '');
    const amount = tryRead(() => jetton.internal_transfer.read(block).amount);
    return wallet?.jetton === master && wallet.owner === trade.trader && amount === trade.jetton_amount;
  };
  return [request, log, ...request.next.filter(isPayout)];
}

function tradeRule(launchpad: Launchpad, type: 'launchpad_buy' | 'launchpad_sell'): AdditionalRule {
  const logs = type === 'launchpad_buy' ? launchpad.buys : launchpad.sells;
  return {
    name: `${type} ${launchpad.name}`,
    start: { calls: logs },
    find(block, { interfaces }) {
      if (block.message.destination !== null) return [];
      const master = someAccount(block.message.source);
      const layout = logs.find((one) => block.calls(one))!;
      const { trader, ton_amount, jetton_amount, fee = null } = layout.read(block);
      if (!isOf(launchpad, master, interfaces)) return [];
      return [
        {
          type,
          source: someAccount(trader),
          destination: master,
          asset: master,
          value: ton_amount,
          amount: jetton_amount,
          success: true,
          data: { launchpad_trade_data: { launchpad: launchpad.name, fee } },
          members: partsOf(block, master, { trader, ton_amount, jetton_amount }, interfaces),
        },
      ];
    },
  };
}

export const launchpadRules: readonly AdditionalRule[] = LAUNCHPADS.flatMap((launchpad) => [
  tradeRule(launchpad, 'launchpad_buy'),
  tradeRule(launchpad, 'launchpad_sell'),
]);
