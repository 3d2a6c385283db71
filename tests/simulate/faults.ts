/** What can become of a call. */
export const FAULTS = [
  'dropBefore',
  'dropAfter',
  'late',
  'twice',
  'slow',
  '202',
  '400',
  '401',
  '404',
  '408',
  '409',
  '422',
  '429',
  '498',
  '500',
  '503',
  '500after',
  '502after',
  'captivePortal',
  'truncated',
  'crashBefore',
  'crashAfter',
  'crashOnAnswer',
] as const
/**
 * What can become of every call of a while. `slow`: what makes a record that the CRM would make twice is done long after
 * it was given up, in no order with others. `tardy`: every answer is long on its way.
 */
export const FAILINGS = [
  '400page',
  '401page',
  '403page',
  '404page',
  '409page',
  '422page',
  '500page',
  '502page',
  '503page',
  '504page',
  '502after',
  '500',
  'write500',
  '403json',
  'slow',
  'tardy',
] as const
export type FailingName = (typeof FAILINGS)[number]

/** `refusal`: of the file store, said with 200. */
export type FaultName = (typeof FAULTS)[number] | 'refusal'
