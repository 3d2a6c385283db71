import { USER_PART } from './user-names.ts'

/**
 * @param scope of the CRM whose user it is (`crm-scope.ts`)
 * @returns the database's name for a user: nothing of one user is visible to the next, nor under another CRM
 */
export async function databaseName(userId: string, scope: string): Promise<string> {
  return `genba-${await digest(userId)}${await crmPart(scope)}`
}

/** @returns whether a database's name is that of a user of this CRM */
export async function isOfCrm(scope: string): Promise<(user: string) => boolean> {
  const part = await crmPart(scope)
  return (user) => user.length === USER_PART + part.length && user.endsWith(part)
}

/** @returns what the names of this CRM's databases end with */
const crmPart = async (scope: string): Promise<string> => (scope === '' ? '' : digest(scope))

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(bytes).slice(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
