import { useEffect } from 'preact/hooks';
import { useCall } from '../api/use-call.ts';
import { hrefOf, navigate, type PageProps } from '../router.ts';
import { find } from '../search/find.ts';
import { readQuery } from '../search/read-query.ts';
import { accountPage } from '../show/address.tsx';
import { ChainText } from '../show/chain-text.tsx';
import { Loaded, PageTitle, Panel } from '../show/panel.tsx';

const MAX_SHOWN_CHARS = 100;

/** Goes to the page of what was searched for, or says that there is none. */
export function Page({ query }: PageProps) {
  const text = (query.get('q') ?? '').trim();
  const read = readQuery(text);
  const call = useCall((abort) => find(read, abort), text);
  const page = call.data !== undefined && 'page' in call.data ? call.data.page : undefined;
  useEffect(() => {
    if (page !== undefined) navigate(page, { replace: true });
  }, [page]);
  return (
    <>
      <PageTitle kind="Search">
        <span class="hash whole">
          <ChainText text={text} max={MAX_SHOWN_CHARS} isInline />
        </span>
      </PageTitle>
      <Panel title="Result">
        <Loaded call={call}>
          {(result) =>
            'page' in result ? (
              <p>Found.</p>
            ) : (
              <div class="problem">
                <p>Nothing found. Looked for:</p>
                <ul>
                  {result.lookedFor.map((what) => (
                    <li key={what}>
                      <ChainText text={what} isInline />
                    </li>
                  ))}
                </ul>
                {read.kind === 'hash' && (
                  <p>
                    It may be the hash of an account:{' '}
                    <AccountLink address={`0:${read.hex}`} name="basechain" />,{' '}
                    <AccountLink address={`-1:${read.hex}`} name="masterchain" />.
                  </p>
                )}
              </div>
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}

function AccountLink({ address, name }: { readonly address: string; readonly name: string }) {
  return <a href={hrefOf(accountPage(address))}>{name}</a>;
}
