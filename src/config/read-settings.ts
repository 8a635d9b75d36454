import { crossChecks } from './cross-checks.ts';
import { hideCredentials } from './hide-credentials.ts';
import type { Setting } from './setting.ts';
import { settingTable } from './setting-table.ts';
import { type SettingName, type Settings, settingNames, settingProperty } from './settings.ts';
import { SettingsError } from './settings-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const MAX_SHOWN_CHARS = 80;

/** Reads all settings from environment variables, or throws one `SettingsError` that lists every fault. */
export function readSettings(env: Environment): Settings {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  const unread = new Set<SettingName>();
  for (const name of settingNames) {
    const text = effectiveText(env, name);
    const value = text === undefined ? undefined : settingTable[name].kind.read(text);
    values[settingProperty(name)] = value;
    if (text === undefined || value !== undefined) continue;
    unread.add(name);
    // A default taken from another setting is wrong only when that one is, and that one is reported.
    const given = givenText(env, name);
    if (given !== undefined) faults.push(faultOf(name, given));
  }
  for (const check of crossChecks) {
    if (check.names.some((name) => unread.has(name))) continue;
    const fault = check.fault(values as Settings);
    if (fault !== undefined) faults.push(fault);
  }
  if (faults.length > 0) throw new SettingsError(faults);
  return values as Settings;
}

/** What the variable says; empty is unset, because Compose files and shells cannot unset a variable. */
function givenText(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

function effectiveText(env: Environment, name: SettingName): string | undefined {
  const fallback = (settingTable[name] as Setting).default;
  const given = givenText(env, name);
  if (given !== undefined || fallback === undefined) return given;
  return typeof fallback === 'string'
    ? fallback
    : fallback.from((other) => effectiveText(env, other as SettingName));
}

function faultOf(name: SettingName, given: string): string {
  const setting: Setting = settingTable[name];
  const expected = setting.kind.expected.replaceAll('`', '');
  if (setting.secret) return `${name} has a value that is not shown here: expected ${expected}`;
  // Hidden before it is cut: a cut URL may no longer look like one. A secret may stand in the wrong variable.
  const safe = hideCredentials(given);
  const shown = safe.length > MAX_SHOWN_CHARS ? `${safe.slice(0, MAX_SHOWN_CHARS)}…` : safe;
  return `${name} is ${JSON.stringify(shown)}: expected ${expected}`;
}
