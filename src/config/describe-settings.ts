import { hideCredentials } from './hide-credentials.ts';
import { type SettingName, type Settings, settingNames, settingProperty } from './settings.ts';

/** The settings under their environment names with every credential hidden, fit for a log line. */
export function describeSettings(settings: Settings): Partial<Record<SettingName, unknown>> {
  const described: Partial<Record<SettingName, unknown>> = {};
  for (const name of settingNames) {
    const value = settings[settingProperty(name)];
    if (value !== undefined) described[name] = describeValue(value);
  }
  return described;
}

function describeValue(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string') return hideCredentials(value);
  // Only keys are bytes.
  if (Buffer.isBuffer(value)) return '***';
  if (Array.isArray(value)) return value.map(describeValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, describeValue(one)]));
}
