import type { Kind, StaffUser } from './crm-state.ts'

/** A phone as those see it who only look. */
export interface Watched {
  name: string
  user: StaffUser
  /** Epoch ms of its clock, which may have been set. */
  now(): number
  /** Of the user who is signed in. */
  disk(): Map<string, unknown>
  /** Of a photo of that user. */
  holdsBytes(key: string): boolean
}

export const whoseOf = ({ name, user }: Pick<Watched, 'name' | 'user'>) => `${name} ${user.id}`

/** A row that a phone has of the CRM. */
export const rowName = (phone: Watched, kind: Kind, name: string) =>
  `${phone.name} ${phone.user.id} ${kind} ${name}`
export const draftName = (phone: Watched, key: string) => `${phone.name} ${phone.user.id} ${key}`
