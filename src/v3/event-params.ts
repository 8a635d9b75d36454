import { pageParams } from './page.ts';
import { accountsParam } from './params/accounts.ts';
import { choiceParam } from './params/choice.ts';
import type { PageLimits } from './params/limit.ts';
import { sortParam } from './params/sort.ts';
import { spanParams } from './span.ts';

/** The parameters that all lists of transfers and burns have. */
export function eventParams(limits: PageLimits) {
  return {
    address: accountsParam({ description: 'Older name of `owner_address`; counts where that is not given.' }),
    ...spanParams({ utime: 'The time, which then is the order,', lt: 'The logical time' }),
    ...pageParams(limits),
    sort: sortParam({ description: 'Direction of the order.', fallback: 'desc' }),
  };
}

/** The parameter of transfers that chooses a side of `owner_address`. */
export function directionParam() {
  return choiceParam(['in', 'out', 'both'], {
    description: 'What `owner_address` gets, what it sends, or both.',
    fallback: 'both',
  });
}
