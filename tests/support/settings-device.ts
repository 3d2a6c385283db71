/** A device with its settings over several starts, for tests of `config.json`. */
import { vi } from 'vitest'
import { openSettings, type StoredSettings, type SettingsParts } from '#app/config/settings.ts'
import { readConfig } from '#app/config/read-config.ts'
import { i18n } from './i18n.ts'

export const DEFAULTS = {
  apiEndpoint: '/api/v1',
  crmEndpoint: 'crm',
  securityEndpoint: 'security',
  securityKey: 'key',
  fileStoreEndpoint: '/doccloud',
  fileStoreErrorLogFolder: 'error-logs',
  imageSizeLimit: '10',
  appName: '現場ワーク',
  codeLabels: {},
}
export const NO_VALUES = {
  ...DEFAULTS,
  apiEndpoint: '',
  crmEndpoint: '',
  fileStoreEndpoint: '',
  securityKey: '',
}
export const OTHER = {
  apiEndpoint: 'https://other.example/api/v1',
  crmEndpoint: 'crm',
  fileStoreEndpoint: 'https://files.example',
}
export const EAST = { id: 'east', name: '東設備' }
export const WEST = {
  id: 'west',
  name: '西工業',
  apiEndpoint: '/west/api/v1',
  fileStoreEndpoint: '/west/files',
}
export const WHOLE = { ...OTHER, securityKey: 'own', appName: 'ピット点検' }

/** What the host answers. */
export type Answer = (() => Response) | 'none'
export const json = (value: unknown) => () => new Response(JSON.stringify(value))

/** A device over several starts: what it keeps is what the next start finds. */
export function device(over: Partial<SettingsParts> = {}) {
  const told: string[] = []
  const state: { kept: StoredSettings | null; answer: Answer } = { kept: null, answer: 'none' }
  const leaveCrm = vi.fn<() => Promise<boolean>>(async () => true)
  const fetch = async () => {
    if (state.answer === 'none') throw new TypeError('Failed to fetch')
    return state.answer()
  }
  const start = (parts: Partial<SettingsParts> = {}) =>
    openSettings({
      defaults: DEFAULTS,
      stored: state.kept,
      store: async (kept) => void (state.kept = structuredClone(kept)),
      origin: 'https://app.example',
      scope: '',
      isSignedIn: false,
      read: (known) => readConfig({ fetch, known, version: '1.0.0', i18n }),
      leaveCrm,
      report: (problem) => told.push(problem),
      ...over,
      ...parts,
    })
  return { state, told, leaveCrm, start }
}
