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
/** `refusal`: of the file store, said with 200. */
export type FaultName = (typeof FAULTS)[number] | 'refusal'
