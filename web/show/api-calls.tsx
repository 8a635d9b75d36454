import { apiKey, enteredKey, type MadeCall, pageCalls } from '../api/client.ts';
import { ROOT } from '../router.ts';
import { CopyButton } from './hash.tsx';

/** The requests behind the current page. */
export function ApiCalls() {
  const calls = pageCalls.value;
  if (calls.length === 0) return null;
  return (
    <details class="api-calls">
      <summary>
        {calls.length === 1 ? 'The API call' : `The ${calls.length} API calls`} behind this page
      </summary>
      <ul>
        {calls.map((call) => (
          <li key={`${call.method} ${call.url} ${call.body ?? ''}`}>
            <CopyButton text={curlOf(call)} label="Copy as curl" />
            <code>
              <b>{call.method}</b> {call.url}
              {call.body !== undefined && <span class="muted"> {call.body.slice(0, 300)}</span>}
            </code>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A command for a shell. A key that a person entered is not written into it. */
function curlOf({ method, url, body, isAdmin }: MadeCall): string {
  const parts = ['curl', quoted(location.origin + ROOT + url.slice(1))];
  if (isAdmin) parts.push('-H "X-Admin-Key: $TONGATE_ADMIN_KEY"');
  else if (enteredKey.value !== '') parts.push('-H "X-API-Key: $TONGATE_API_KEY"');
  else if (apiKey.value !== '') parts.push('-H', quoted(`X-API-Key: ${apiKey.value}`));
  if (method === 'POST')
    parts.push('-H', quoted('Content-Type: application/json'), '-d', quoted(body ?? '{}'));
  return parts.join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
