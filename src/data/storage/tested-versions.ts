/**
 * The versions that this folder was tested with. It leans on parts of RxDB and Dexie that they may change with any version:
 * with another one, RxDB's own storage is used as it is, which opens nothing that is sealed (docs/rxdb-upgrade.md).
 */
import { Dexie } from 'dexie'
import { RXDB_VERSION } from 'rxdb/plugins/core'

export interface Versions {
  rxdb: string
  dexie: string
}

export const TESTED_VERSIONS: Versions = { rxdb: '17.6.0', dexie: '4.4.2' }

export const versionsHere = (): Versions => ({ rxdb: RXDB_VERSION, dexie: Dexie.semVer })

/** @returns what is other than it was tested with, for the error log; null where nothing is */
export function untested(versions: Versions): string | null {
  const names = ['rxdb', 'dexie'] as const
  const others = names.filter((name) => versions[name] !== TESTED_VERSIONS[name])
  if (others.length === 0) return null
  const each = others.map((name) => `${name} ${versions[name]} (tested: ${TESTED_VERSIONS[name]})`)
  return `storage: plain Dexie, for ${each.join(', ')}`
}
