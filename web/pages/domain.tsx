import { getFirst, post } from '../api/client.ts';
import { useCall } from '../api/use-call.ts';
import { hrefOf, type PageProps } from '../router.ts';
import { Address } from '../show/address.tsx';
import { ChainText } from '../show/chain-text.tsx';
import { Hash } from '../show/hash.tsx';
import { Badge, Loaded, NotFound, PageTitle, Panel } from '../show/panel.tsx';
import { chainNow, Time } from '../show/time.tsx';
import { tokenPage } from '../show/token.tsx';

/** Domains of .ton are to be renewed once a year. */
const TERM_SECONDS = 366 * 86_400;
const MAX_NAME_CHARS = 126;

async function load(domain: string, abort: AbortSignal) {
  const record = await getFirst('/api/v3/dns/records', 'records', { domain }, abort);
  if (record === null) return null;
  const call = { address: record.nft_item_address, method: 'get_last_fill_up_time', stack: [] };
  // Names of t.me have no such method.
  const result = await post('/api/v3/runGetMethod', call, abort).catch(() => undefined);
  const entry = result?.exit_code === 0 ? result.stack[0] : undefined;
  const renewedAt = entry?.type === 'num' ? Number(entry.value) : 0;
  return { record, expiresAt: renewedAt > 0 ? renewedAt + TERM_SECONDS : undefined };
}

type Domain = NonNullable<Awaited<ReturnType<typeof load>>>;

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
  const isOver = expiresAt !== undefined && expiresAt < chainNow();
  const { nft_item_address: item, dns_wallet: wallet, dns_next_resolver: resolver } = record;
  const { dns_site_adnl: site, dns_storage_bag_id: bag } = record;
  return (
    <div class="columns">
      <Panel
        title="Summary"
        facts={{
          Owner: <Address address={record.nft_item_owner} canCopy />,
          Expires: expiresAt !== undefined && (
            <>
              <Time at={expiresAt} /> {isOver && <Badge kind="bad">expired</Badge>}
            </>
          ),
          NFT: <a href={hrefOf(tokenPage(item, 'nft_items'))}>Page of its NFT</a>,
          Contract: <Address address={item} canCopy canBeName={false} />,
        }}
      />
      {[wallet, site, bag, resolver].some((one) => one !== null) ? (
        <Panel
          title="Resolves to"
          facts={{
            Wallet: wallet && <Address address={wallet} canCopy canBeName={false} />,
            'Site, ADNL address': site && <Hash value={site} name="ADNL address" isWhole />,
            'Storage, bag id': bag && <Hash value={bag} name="bag id" isWhole />,
            'Resolver of subdomains': resolver && <Address address={resolver} canCopy />,
          }}
        />
      ) : (
        <NotFound title="Resolves to">This domain has no records.</NotFound>
      )}
    </div>
  );
}
