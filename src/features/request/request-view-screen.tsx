import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useLiveQuery, useOnline, useServices, useUserData } from '#data/app-context.tsx'
import { askDetail, detailInterest, interest$ } from '#data/interests.ts'
import { useToday } from '#data/use-now.ts'
import { useVisitsOfRequest } from '#data/use-visits.ts'
import { BackLink } from '#ui/app-bar.tsx'
import { NotOnDevice } from '#ui/not-on-device.tsx'
import { ViewSkeleton } from '#ui/skeleton.tsx'
import { RequestView } from './request-view.tsx'
import { shownVisit } from './shown-visit.ts'

interface RequestViewScreenProps {
  id: string
  workingDate: string | undefined
}

/** 依頼詳細. What is on the device is shown at once; the CRM is asked for it anew, once, when it is opened online. */
export function RequestViewScreen({ id, workingDate }: RequestViewScreenProps) {
  const { t } = useLingui()
  const { Frame } = useServices()
  const today = useToday()
  const days = useVisitsOfRequest(id)
  const { visit, invalidDate } = shownVisit(days ?? [], workingDate, today)
  const day = invalidDate ? undefined : workingDate
  const fresh = useFreshDetail(id, day ?? visit?.request.workingDate ?? '', days !== undefined)
  const asked = fresh === 'asked'
  if (!visit && fresh === 'missing') return <Navigate to="/not-found" replace />
  if (visit) return <RequestView visit={visit} days={days ?? []} invalidDate={invalidDate} />
  return (
    <Frame title={t`依頼詳細`} back={<BackLink to="/request" />} center={days !== undefined && !asked}>
      {days === undefined || asked ? <ViewSkeleton /> : <NotOnDevice />}
    </Frame>
  )
}

/**
 * Asks once for the request that is on the screen (sync RULES PL5).
 * @param known the device was read, so that the day is settled
 * @returns asked: an answer is on its way; missing: the CRM has no such request
 */
function useFreshDetail(id: string, workingDate: string, known: boolean): 'asked' | 'missing' | 'none' {
  const { clock } = useServices()
  const db = useUserData()?.db
  const online = useOnline()
  const [since] = useState(() => new Date(clock.now()).toISOString())
  const [day, setDay] = useState<string | null>(null)
  if (known && day === null) setDay(workingDate)
  const key = detailInterest(id, day ?? workingDate)
  const interest = useLiveQuery(`interest ${key}`, (from) => interest$(from, key))
  useEffect(() => {
    if (db && online && day !== null) void askDetail(db, clock.now(), id, day)
  }, [db, online, clock, id, day])
  if (!online) return 'none'
  if (!interest || interest.state === 'asked' || interest.askedAt < since) return 'asked'
  if (interest.state === 'missing') return 'missing'
  return interest.state === 'answered' && interest.total > 0 ? 'asked' : 'none'
}
