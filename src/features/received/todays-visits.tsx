import { useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { useNamedQuery } from '#data/context/app-context.tsx'
import { useMinute } from '#data/context/use-now.ts'
import { visitsOfDaysQuery } from '#data/visits/first-queries.ts'
import type { VisitRow } from '#data/visits/visits.ts'
import { tokyoToday } from '#lib/time/tokyo-time.ts'
import { carriedDay } from '#lib/time/working-day.ts'
import { NightMarks, useRowFacts } from '#features/request-form/night-marks.tsx'
import { ListEnd } from '#ui/layout/layout.tsx'
import { SectionHead } from '#ui/layout/section.tsx'
import { ListSkeleton } from '#ui/request/skeleton.tsx'
import { DayList, type RowEdge, rowEdge, VisitLink } from '#ui/request/visit-row.tsx'

/** Today's visits and last night's unfinished visits, as on 依頼検索. Each links to its forms. */
export function TodaysVisits() {
  const { t } = useLingui()
  const visits = useTodaysVisits()
  return (
    <>
      <SectionHead>{t`どの依頼に追加しますか`}</SectionHead>
      {!visits && <ListSkeleton />}
      {visits?.length === 0 && <ListEnd>{t`今日の依頼がこの端末にありません。写真は1日待ちます。`}</ListEnd>}
      {visits && visits.length > 0 && (
        <DayList>
          {visits.map((visit, index) => (
            <li key={visit.request.key}>
              <Visit visit={visit} edge={rowEdge(index, visits.length)} />
            </li>
          ))}
        </DayList>
      )}
    </>
  )
}

function useTodaysVisits(): VisitRow[] | undefined {
  const now = useMinute()
  const today = tokyoToday(now)
  const carried = carriedDay(now)
  const query = useMemo(() => visitsOfDaysQuery({ from: carried ?? today, to: today }), [carried, today])
  const list = useNamedQuery(query)
  return useMemo(
    () =>
      list?.rows
        .filter((row) => row.workingDate === today || list.stateOf(row) !== 'out')
        .map((row) => list.visitOf(row)),
    [list, today],
  )
}

function Visit({ visit, edge }: { visit: VisitRow; edge: RowEdge | undefined }) {
  const { request, state } = visit
  return (
    <VisitLink
      {...useRowFacts(visit)}
      to="/share"
      search={{ visit: request.key }}
      node={state}
      now={state === 'in'}
      edge={edge}
      marks={<NightMarks visit={visit} />}
    />
  )
}
