import { get, post } from '../api/client.ts';
import { useCall } from '../api/use-call.ts';
import type { DNSRecord } from '../api/v3.d.ts';
import { hrefOf, type PageProps } from '../router.ts';
import { Address } from '../show/address.tsx';
import { ChainText } from '../show/chain-text.tsx';
import { Hash } from '../show/hash.tsx';
import { Badge, Empty, Facts, Loaded, PageTitle, Panel } from '../show/panel.tsx';
import { Time } from '../show/time.tsx';
import { nftPage } from '../show/token.tsx';

/** Domains of .ton are to be renewed once a year. */
const TERM_SECONDS = 366 * 86_400;
const MAX_NAME_CHARS = 126;

interface Domain {
  readonly record: DNSRecord;
  /** Unix seconds; undefined for domains that do not tell. */
  readonly expiresAt: number | undefined;
}

async function load(name: string, abort: AbortSignal): Promise<Domain | null> {
  const { records } = await get('/api/v3/dns/records', { domain: name, limit: 1 }, abort);
  const [record] = records;
  if (record === undefined) return null;
  const renewedAt = await lastRenewal(record.nft_item_address, abort);
  return { record, expiresAt: renewedAt === undefined ? undefined : renewedAt + TERM_SECONDS };
}

async function lastRenewal(address: string, abort: AbortSignal): Promise<number | undefined> {
  // Names of t.me have no such method.
  const result = await post(
    '/api/v3/runGetMethod',
    { address, method: 'get_last_fill_up_time', stack: [] },
    abort,
  ).catch(() => undefined);
  const entry = result?.exit_code === 0 ? result.stack[0] : undefined;
  const time = entry?.type === 'num' ? Number(entry.value) : 0;
  return time > 0 ? time : undefined;
}

/** A domain. */
export function Page({ path }: PageProps) {
  const name = path.domain!.slice(0, MAX_NAME_CHARS).toLowerCase();
  const call = useCall((abort) => load(name, abort), name);
  return (
    <>
      <PageTitle kind="Domain">
        <ChainText text={name} isInline />
      </PageTitle>
      <Loaded call={call} notFound="The index has no such domain.">
        {(domain) => <DomainView domain={domain} />}
      </Loaded>
    </>
  );
}

function DomainView({ domain: { record, expiresAt } }: { readonly domain: Domain }) {
  const isOver = expiresAt !== undefined && expiresAt * 1000 < Date.now();
  const {
    nft_item_address: item,
    nft_item_owner: owner,
    dns_wallet: wallet,
    dns_site_adnl: site,
    dns_storage_bag_id: bag,
    dns_next_resolver: resolver,
  } = record;
  const hasRecord = [wallet, site, bag, resolver].some((one) => one !== null);
  return (
    <div class="columns">
      <Panel title="Summary">
        <Facts
          facts={{
            Owner: <Address address={owner} canCopy />,
            Expires: expiresAt !== undefined && (
              <>
                <Time at={expiresAt} /> {isOver && <Badge kind="bad">expired</Badge>}
              </>
            ),
            NFT: <a href={hrefOf(nftPage(item))}>Page of its NFT</a>,
            Contract: <Address address={item} canCopy canBeName={false} />,
          }}
        />
      </Panel>
      <Panel title="Resolves to">
        {hasRecord ? (
          <Facts
            facts={{
              Wallet: wallet && <Address address={wallet} canCopy canBeName={false} />,
              'Site, ADNL address': site && <Hash value={site} name="ADNL address" isWhole />,
              'Storage, bag id': bag && <Hash value={bag} name="bag id" isWhole />,
              'Resolver of subdomains': resolver && <Address address={resolver} canCopy />,
            }}
          />
        ) : (
          <Empty>This domain has no records.</Empty>
        )}
      </Panel>
    </div>
  );
}
