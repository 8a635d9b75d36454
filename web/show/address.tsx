import { addressNames } from '../api/address-names.ts';
import { hrefOf, pagePath } from '../router.ts';
import { serverInfo } from '../server-info.ts';
import { friendlyForm, parseAddress } from './address-forms.ts';
import { cleanText } from './chain-text.tsx';
import { CopyButton, shortened } from './hash.tsx';

interface AddressProps {
  /** In any form; null for none, as the source of an external message. */
  readonly address: string | null | undefined;
  readonly isWhole?: boolean;
  readonly canCopy?: boolean;
  /** The domain, if there is one, stands for the address. */
  readonly canBeName?: boolean;
}

/** Longest part of a domain that is shown. */
const MAX_NAME_CHARS = 32;

/** An account as a link to its page. */
export function Address({ address, isWhole = false, canCopy = false, canBeName = true }: AddressProps) {
  if (address === null || address === undefined || address === '') return <span class="muted">nobody</span>;
  const friendly = friendlyAddress(address);
  const domain = canBeName ? nameOf(address) : undefined;
  const classes = isWhole ? 'hash whole' : 'hash';
  return (
    <span class="with-copy">
      <a class={classes} href={hrefOf(accountPage(address))} title={friendly}>
        {domain ? (
          <bdi class="domain">{cleanText(domain).slice(0, MAX_NAME_CHARS)}</bdi>
        ) : isWhole ? (
          friendly
        ) : (
          shortened(friendly, 6, 6)
        )}
      </a>
      {canCopy && <CopyButton text={friendly} label="Copy address" />}
    </span>
  );
}

/** Contracts that every network has, by raw address. */
const SYSTEM_ACCOUNTS: Readonly<Record<string, string>> = {
  [`-1:${'0'.repeat(64)}`]: 'System',
  [`-1:${'3'.repeat(64)}`]: 'Elector',
  [`-1:${'5'.repeat(64)}`]: 'Config contract',
};

/** The name of an account: its domain, or its part in the network. */
export function nameOf(address: string): string | undefined {
  return addressNames.value.book.get(address)?.domain ?? SYSTEM_ACCOUNTS[address];
}

/** The friendly form that the server uses for the account, else the bounceable one. */
export function friendlyAddress(address: string): string {
  const friendly = addressNames.value.book.get(address)?.user_friendly;
  if (friendly !== undefined && friendly !== null) return friendly;
  const parsed = parseAddress(address);
  return parsed === null
    ? address
    : friendlyForm(parsed, { isBounceable: true, isTestOnly: serverInfo.value.test_only });
}

export function accountPage(address: string): string {
  return pagePath('account', friendlyAddress(address));
}
