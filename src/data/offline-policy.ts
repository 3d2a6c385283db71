/**
 * What one may do without a signal (spec 1, 2, 6): the one table that all screens go by.
 *
 * - `works`: added and edited offline as online; the queue sends it later.
 * - `open-forms`: links to the form are hidden; one that is open when the signal goes still saves into the queue.
 * - `needs-signal`: links to the form are hidden, and a save without signal goes to forbidden.
 */
export const offlinePolicy = {
  quickReport: { add: 'works', edit: 'works' },
  safetyMeasure: { add: 'works', edit: 'works' },
  emergencyReport: { add: 'works', edit: 'works' },
  customerLocationChangeRequest: { add: 'open-forms', edit: 'needs-signal' },
  locationContactChangeRequest: { add: 'open-forms', edit: 'open-forms' },
  noteLocationArea: { add: 'open-forms', edit: 'open-forms' },
} as const

export type FormSlug = keyof typeof offlinePolicy
export type FormAction = 'add' | 'edit'

/** Whether a screen offers the way to the form. */
export const isOffered = (slug: FormSlug, action: FormAction, online: boolean): boolean =>
  online || offlinePolicy[slug][action] === 'works'

/** Whether what is in an open form may be saved. */
export const maySave = (slug: FormSlug, action: FormAction, online: boolean): boolean =>
  online || offlinePolicy[slug][action] !== 'needs-signal'
