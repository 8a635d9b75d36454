import { hrefOf, place } from './router.ts';
import { serverInfo } from './server-info.ts';

/** Pages that lists lead to, and nothing else does. */
export function Navigation() {
  const links = [
    ['/tokens', 'Tokens'],
    ['/validators', 'Validators'],
    ['/config', 'Config'],
    ...(serverInfo.value.has_local_chain ? [['/localnet/panel', 'Local chain']] : []),
  ] as const;
  const current = place.value?.route.path;
  return (
    <nav class="navigation" aria-label="Pages">
      {links.map(([page, name]) => (
        <a key={page} href={hrefOf(page!)} aria-current={page === current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
