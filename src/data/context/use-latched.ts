import { useState } from 'react'
import type { RecordAbsence } from './use-fetched-record.ts'

/**
 * What a form was opened with stands under it. It is shown as it comes; where it leaves the device, is refused or is not in
 * the CRM any more, the form keeps what it had last: it holds what was typed, and its save says what comes of that.
 * @param of what the form is about: another one is another form
 */
export function useLatched<T extends object>(of: string, now: T | RecordAbsence): T | RecordAbsence {
  const [stood, setStood] = useState<{ of: string; last: T } | null>(null)
  if (typeof now === 'string') return stood?.of === of ? stood.last : now
  if (stood?.of !== of || stood.last !== now) setStood({ of, last: now })
  return now
}

/** Whether it is so, or was once: what was opened is not taken away for what has to be waited for again. */
export function useOpened(isSo: boolean): boolean {
  const [wasSo, setWasSo] = useState(false)
  if (isSo && !wasSo) setWasSo(true)
  return isSo || wasSo
}
