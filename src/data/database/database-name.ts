/**
 * Returns the name of a user's database, `genba-<hash>`. The hash differs between users and between CRMs.
 * @param scope identifies the CRM (`crm-scope.ts`); '' for the first or only CRM
 */
export async function databaseName(userId: string, scope: string): Promise<string> {
  return `genba-${await digest(userId)}${await crmPart(scope)}`
}

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

/**
 * Matches the names of a user's databases: `genba-<hash>`, with prefixes and suffixes. The hash contains 16 digits for
 * the user and, on a device with several CRMs, 16 for the CRM.
 */
const USER = /^(?:rxdb-dexie-)?genba-(?:photos-|answers-|aside-)?([0-9a-f]{16}(?:[0-9a-f]{16})?)(?:--|$)/

/** Returns `genba-<hash>` of each user who has one of these databases. */
export function usersNamed(names: readonly string[]): string[] {
  const hashes = new Set(names.flatMap((name) => USER.exec(name)?.[1] ?? []))
  return [...hashes].map((hash) => `genba-${hash}`)
}

const USER_PART = 'genba-'.length + 16

/** True if the user belongs to the device's first CRM, whose users have a shorter hash. */
export const isOfHome = (user: string): boolean => user.length === USER_PART

/** Name of the database that says which versions of a user's stores are valid (`stored-layout.ts`). */
export const layoutName = (user: string): string => `${user}--layout`
