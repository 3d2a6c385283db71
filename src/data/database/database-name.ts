/**
 * Returns the name of a user on this device, `genba-<hash>`. The hash differs between users and between CRMs.
 * @param scope identifies the CRM (`crm-scope.ts`); '' for the first or only CRM
 */
export async function databaseName(userId: string, scope: string): Promise<string> {
  return `genba-${await digest(userId)}${await crmPart(scope)}`
}

/**
 * Returns the name of the stores of one data key, `genba-<hash>-<key>`. Each key of a user has stores of its own, so that
 * a changed password leaves the stores of the earlier one as they are (decisions/encryption).
 * @param user `genba-<hash>`
 */
export const storesName = (user: string, keyId: string): string => `${user}-${keyId.replaceAll('-', '')}`

/** Returns the user, `genba-<hash>`, of stores. A name of another form (in tests) is the user's name. */
export const userOf = (stores: string): string => stores.replace(/^(genba-[^-]+)-[^-]+$/, '$1')

/** Returns a function that tests whether a database belongs to a user of this CRM. */
export async function isOfCrm(scope: string): Promise<(user: string) => boolean> {
  const part = await crmPart(scope)
  return (user) => user.length === USER_PART + part.length && user.endsWith(part)
}

const crmPart = async (scope: string): Promise<string> => (scope === '' ? '' : digest(scope))

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(bytes).slice(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const PREFIX = /^(?:rxdb-dexie-)?genba-(?:photos-|answers-)?/

/** The hash contains 16 digits for the user and, on a device with several CRMs, 16 for the CRM. */
const USER = /^([0-9a-f]{16}(?:[0-9a-f]{16})?)(?:-|$)/

/** Returns `genba-<hash>` of each user who has one of these databases. */
export function usersNamed(names: readonly string[]): string[] {
  const ofApp = names.filter((name) => PREFIX.test(name)).map((name) => name.replace(PREFIX, ''))
  const hashes = new Set(ofApp.flatMap((name) => USER.exec(name)?.[1] ?? []))
  return [...hashes].map((hash) => `genba-${hash}`)
}

/** Returns the names (`storesName`) of all stores of a user that have one of these databases. */
export function storesNamed(names: readonly string[], user: string): string[] {
  const stores = names.map((name) => name.replace(PREFIX, 'genba-').split('--', 1).join(''))
  return [...new Set(stores)].filter((name) => name.startsWith(`${user}-`))
}

const USER_PART = 'genba-'.length + 16

/** True if the user belongs to the device's first CRM, whose users have a shorter hash. */
export const isOfHome = (user: string): boolean => user.length === USER_PART

/** Name of the database that says which versions of the stores are valid (`stored-layout.ts`). */
export const layoutName = (stores: string): string => `${stores}--layout`
