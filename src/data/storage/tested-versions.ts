/**
 * The library versions that this folder was tested with. It depends on internals that RxDB and Dexie may
 * change in any release. With other versions the app uses RxDB's own storage, which cannot read encrypted
 * rows (docs/rxdb-upgrade.md).
 */
import { Dexie } from 'dexie'
import { RXDB_VERSION } from 'rxdb/plugins/core'

export interface Versions {
  rxdb: string
  dexie: string
}

export const TESTED_VERSIONS: Versions = { rxdb: '17.6.0', dexie: '4.4.2' }

/** The installed versions. */
export const versionsHere = (): Versions => ({ rxdb: RXDB_VERSION, dexie: Dexie.semVer })

/** Returns a message for the error log if a version was not tested; else null. */
export function untested(versions: Versions): string | null {
  const names = ['rxdb', 'dexie'] as const
  const others = names.filter((name) => versions[name] !== TESTED_VERSIONS[name])
  if (others.length === 0) return null
  const each = others.map((name) => `${name} ${versions[name]} (tested: ${TESTED_VERSIONS[name]})`)
  return `storage: plain Dexie, for ${each.join(', ')}`
}
