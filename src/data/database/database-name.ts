import { USER_PART } from './user-names.ts'

/**
 * Returns the name of a user's database, `genba-<hash>`. The hash separates users, and users of different
 * CRMs.
 * @param scope identifies the CRM (`crm-scope.ts`); '' for the first or only one
 */
export async function databaseName(userId: string, scope: string): Promise<string> {
  return `genba-${await digest(userId)}${await crmPart(scope)}`
}

/** Returns a predicate: true if a database name belongs to a user of this CRM. */
export async function isOfCrm(scope: string): Promise<(user: string) => boolean> {
  const part = await crmPart(scope)
  return (user) => user.length === USER_PART + part.length && user.endsWith(part)
}

/** The suffix that all database names of this CRM share. */
const crmPart = async (scope: string): Promise<string> => (scope === '' ? '' : digest(scope))

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(bytes).slice(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
