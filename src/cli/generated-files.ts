import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { adminDocument } from '../admin/admin-routes.ts';
import { accountDocument } from '../admin/me-routes.ts';
import { settingsPage } from '../config/settings-page.ts';
import { localnetDocument } from '../http/localnet-routes.ts';
import type { TextOutput } from '../lib/log.ts';
import { v2Document } from '../v2/openapi.ts';
import { createEmulateOperations, emulateDocument } from '../v3/emulate-interface.ts';
import { v3Document } from '../v3/interface.ts';
import { createV3Operations } from '../v3/operations.ts';
import { webhookRoutes } from '../webhooks/routes.ts';

const ROOT = new URL('../../', import.meta.url);

const json = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;

/** Generated files of the repository, by command. */
export const generatedFiles = {
  openapi: (): Record<string, string> => ({
    'openapi/v2.json': json(v2Document()),
    'openapi/account.json': json(accountDocument(webhookRoutes)),
    'openapi/admin.json': json(adminDocument()),
    'openapi/localnet.json': json(localnetDocument()),
    'openapi/emulate.json': json(emulateDocument(createEmulateOperations())),
    'openapi/v3.json': json(v3Document(createV3Operations({ defaultLimit: 10, maxLimit: 1000 }))),
  }),
  settings: (): Record<string, string> => ({ 'docs/operate/settings.md': settingsPage() }),
};

/** Writes the files, or with `check` only lists those that differ; returns the exit code. */
export async function writeGenerated(
  files: Record<string, string>,
  { check, out, root = ROOT }: { check: boolean; out: TextOutput; root?: URL },
): Promise<number> {
  let stale = 0;
  for (const [name, content] of Object.entries(files)) {
    const path = fileURLToPath(new URL(name, root));
    const current = await readFile(path, 'utf8').catch(() => '');
    if (current === content) continue;
    stale += 1;
    if (!check) await writeFile(path, content);
    out.write(`${name} ${check ? 'is out of date' : 'written'}\n`);
  }
  return check && stale > 0 ? 1 : 0;
}
