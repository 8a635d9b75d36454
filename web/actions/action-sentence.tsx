import { addressNames } from '../api/address-names.ts';
import { operationName } from '../api/operation-names.ts';
import type { Action, TokenInfo } from '../api/v3.d.ts';
import { hrefOf } from '../router.ts';
import { Address, friendlyAddress } from '../show/address.tsx';
import { formatUnits, Ton } from '../show/amount.tsx';
import { ChainText, cleanText } from '../show/chain-text.tsx';
import { shortened } from '../show/hash.tsx';
import { tokenNameOf, tokenPage } from '../show/token.tsx';
import { isOwnOpcode, systemOperation } from '../show/transaction-rows.tsx';
import { detailOf, isPresent, readSentence, type SentencePart, sentences } from './sentences.ts';

const MAX_COMMENT_CHARS = 120;
const MAX_NAME_CHARS = 40;
const MAX_PLAIN_CHARS = 40;
/** Of jettons that do not say how many they have. */
const USUAL_DECIMALS = 9;
const MAX_DECIMALS = 255;

export function ActionSentence({ action }: { readonly action: Pick<Action, 'type' | 'details'> }) {
  const type = isBounce(action) ? 'bounce' : action.type;
  const text = Object.hasOwn(sentences, type) ? sentences[type]! : type.replaceAll('_', ' ');
  return (
    <span class="sentence">
      <Parts parts={readSentence(text)} details={action.details} />
    </span>
  );
}

/** The first bits of the body of a bounced message. */
const BOUNCED_OPCODE = '0xffffffff';

function isBounce({ type, details }: Pick<Action, 'type' | 'details'>): boolean {
  return type === 'call_contract' && detailOf(details, 'opcode') === BOUNCED_OPCODE;
}

function Parts({ parts, details }: { readonly parts: readonly SentencePart[]; readonly details: unknown }) {
  return (
    <>
      {parts.map((part, i) => {
        if ('words' in part) return part.words;
        const key = String(i);
        if ('optional' in part)
          return isPresent(part, details) ? (
            <Parts key={key} parts={part.optional} details={details} />
          ) : null;
        return <Detail key={key} part={part} details={details} />;
      })}
    </>
  );
}

interface DetailProps {
  readonly part: Extract<SentencePart, { show: string }>;
  readonly details: unknown;
}

function Detail({ part: { show, names }, details }: DetailProps) {
  const value = textOf(detailOf(details, names[0]!));
  switch (show) {
    case 'account':
      return value === null ? <span class="muted">an unknown account</span> : <Address address={value} />;
    case 'ton':
      return <Ton nano={value} />;
    case 'token':
      return <TokenAmount amount={value} asset={textOf(detailOf(details, names[1]!))} />;
    case 'nft':
      return value === null ? <span class="muted">an item</span> : <TokenName address={value} />;
    case 'operation': {
      const ends = ['source', 'destination'].map((name) => textOf(detailOf(details, name)));
      return systemOperation(value ?? '', ends) ?? operationText(value ?? '');
    }
    case 'text':
      return (
        <span class="muted comment">
          “<ChainText text={value ?? ''} max={MAX_COMMENT_CHARS} isInline />”
        </span>
      );
    default:
      return <ChainText text={value ?? '?'} max={MAX_PLAIN_CHARS} isInline />;
  }
}

/** Small opcodes mean something else in every contract, so their names say nothing. */
function operationText(opcode: string): string {
  return (isOwnOpcode(opcode) && operationName(opcode)) || `operation ${opcode}`;
}

function textOf(value: unknown): string | null {
  return value === undefined || value === null || value === '' ? null : String(value);
}

interface TokenAmountProps {
  /** Smallest units; null is unknown. */
  readonly amount: string | null | undefined;
  /** Master of the jetton; null is TON. */
  readonly asset: string | null | undefined;
}

/** An amount of a jetton with its symbol, as a link to the jetton. */
export function TokenAmount({ amount, asset }: TokenAmountProps) {
  if (asset === null || asset === undefined || asset === '') return <Ton nano={amount} />;
  const decimals = jettonDecimals(asset);
  return (
    <span class="amount">
      {amount === null || amount === undefined ? 'some' : formatUnits(amount, decimals)}{' '}
      <TokenName address={asset} isSymbol />
    </span>
  );
}

/** Decimals that a jetton says it has, if they make sense. */
export function jettonDecimals(asset: string): number {
  const text = tokenInfo(asset)?.extra?.decimals;
  const decimals = text === undefined ? USUAL_DECIMALS : Number(text);
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_DECIMALS ? decimals : USUAL_DECIMALS;
}

/** Metadata of a token, of the kind that has a name. */
export function tokenInfo(address: string): TokenInfo | undefined {
  const infos = addressNames.value.tokens.get(address);
  return infos?.find(({ name, symbol }) => name !== undefined || symbol !== undefined) ?? infos?.[0];
}

/** Name or symbol of a token, as a link to its page; the address where there is none. */
export function TokenName({
  address,
  isSymbol = false,
}: {
  readonly address: string;
  readonly isSymbol?: boolean;
}) {
  const info = tokenInfo(address);
  const name = (isSymbol && info?.symbol) || tokenNameOf(info) || info?.symbol;
  const friendly = friendlyAddress(address);
  return (
    <a href={hrefOf(tokenPage(address, info?.type))} title={friendly} class={name ? 'token' : 'hash'}>
      {name ? (
        <bdi>{cleanText(name.slice(0, MAX_NAME_CHARS)).trim() || 'unnamed'}</bdi>
      ) : (
        shortened(friendly, 6, 6)
      )}
    </a>
  );
}
