import type { ComponentChildren } from 'preact';
import { useCall } from '../api/use-call.ts';
import type { TokenInfo } from '../api/v3.d.ts';
import { Address } from './address.tsx';
import { parseAddress, rawForm } from './address-forms.ts';
import { ChainText, cleanText } from './chain-text.tsx';
import { ChainImage } from './image.tsx';
import { type FactRecord, Facts, Loaded, NotFound, PageTitle, Panel } from './panel.tsx';
import { imageSources, tokenInfoOf, tokenTitle } from './token.tsx';

interface TokenPageProps<Token> {
  readonly kind: string;
  /** As metadata names the kind. */
  readonly type: string;
  /** In any form, from the path. */
  readonly address: string;
  readonly load: (address: string, abort: AbortSignal) => Promise<Token | null>;
  readonly children: (token: Token) => ComponentChildren;
}

/** The page of a jetton, an NFT or a collection. */
export function TokenPage<Token>({ kind, type, address, load, children }: TokenPageProps<Token>) {
  const notFound = `The index has no ${kind.replace('Jetton', 'jetton')} at this address.`;
  const parsed = parseAddress(address);
  const raw = parsed === null ? null : rawForm(parsed);
  const call = useCall((abort) => load(raw!, abort), raw);
  if (raw === null) return <NotFound>{notFound}</NotFound>;
  return (
    <>
      <PageTitle kind={kind}>
        <bdi>{tokenTitle(tokenInfoOf(raw, type), raw)}</bdi>
      </PageTitle>
      <Loaded call={call} notFound={notFound}>
        {children}
      </Loaded>
    </>
  );
}

interface TokenSummaryProps {
  readonly address: string;
  readonly type: string;
  /** As the contract has it. */
  readonly content: Readonly<Record<string, unknown>> | null;
  readonly facts: FactRecord;
}

/** The picture of a token beside its facts and its metadata. */
export function TokenSummary({ address, type, content, facts }: TokenSummaryProps) {
  const info = tokenInfoOf(address, type);
  const own = <Address address={address} isWhole canCopy canBeName={false} />;
  return (
    <Panel title="Summary">
      <div class="token-head">
        <div class="picture">
          <ChainImage sources={imageSources(info, 'big')} size="large" name={tokenTitle(info, address)} />
        </div>
        <Facts facts={{ Address: own, ...facts }} more={metadataFacts(info, content)} />
      </div>
    </Panel>
  );
}

/** Names of metadata that are shown elsewhere or mean nothing to people. */
const HIDDEN = new Set(['name', 'symbol', 'decimals', 'description', 'image', 'uri', 'attributes', 'lottie']);
const MAX_EXTRA = 20;

/** The metadata of a token, as its owner writes it. Links are text, not links. */
function metadataFacts(
  info: TokenInfo | undefined,
  content: Readonly<Record<string, unknown>> | null,
): [string, ComponentChildren][] {
  const text = (value: unknown): ComponentChildren =>
    typeof value === 'string' && value !== '' ? <ChainText text={value} /> : undefined;
  const extra = Object.entries(info?.extra ?? {})
    .filter(([name, value]) => !HIDDEN.has(name) && !name.startsWith('_') && typeof value !== 'object')
    .slice(0, MAX_EXTRA);
  return [
    ['Name', text(info?.name)],
    ['Symbol', text(info?.symbol)],
    ['Description', text(info?.description)],
    ['Image', text(info?.image)],
    ['Metadata', text(content?.uri)],
    ...extra.map(([name, value]): [string, ComponentChildren] => [
      cleanText(name.slice(0, 40)),
      text(String(value)),
    ]),
    ['Attributes', attributesOf(info?.extra?.attributes)],
  ];
}

const MAX_ATTRIBUTES = 50;

/** Traits of an NFT, as most collections write them. */
function attributesOf(attributes: unknown): ComponentChildren {
  if (!Array.isArray(attributes) || attributes.length === 0) return undefined;
  return (
    <ul class="links">
      {attributes.slice(0, MAX_ATTRIBUTES).map((one: unknown, i) => {
        const { trait_type: trait, value } = (one ?? {}) as Record<string, unknown>;
        return (
          <li key={i}>
            <span class="muted">
              <ChainText text={String(trait ?? 'trait')} max={40} isInline />
            </span>{' '}
            <ChainText text={String(value ?? '')} max={80} isInline />
          </li>
        );
      })}
    </ul>
  );
}
