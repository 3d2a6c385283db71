import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Hourglass } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useServices } from '#data/context/app-context.tsx'
import { useToday } from '#data/context/use-now.ts'
import { timeOn } from '#lib/time/tokyo-time.ts'
import { Mark } from '#ui/feedback/mark.tsx'

/** Words for the reasons of the scheduler (`sync/scheduler/schedule.ts`). */
const REASONS: Readonly<Record<string, MessageDescriptor>> = {
  offline: msg`電波がありません`,
  session: msg`ログインが必要です`,
  'retry-after': msg`待つように応答がありました`,
  budget: msg`失敗が続いたので、間をおいています`,
  outage: msg`応答がないので、間をおいています`,
  trial: msg`応答があるか、一つだけ試しています`,
  'back-off': msg`失敗したので、間をおいています`,
  eased: msg`復旧したところなので、順に読み込んでいます`,
}

const APIS = { crm: msg`CRM`, files: msg`写真の保管先` } as const

/** How often the reasons are read again, in ms. */
const READ_AGAIN_MS = 5_000

/** Why the next calls wait, and until when; nothing if they do not. */
export function Waits() {
  const { t, i18n } = useLingui()
  const today = useToday()
  const waits = useWaits()
  if (waits.length === 0) return null
  return (
    <ul>
      {waits.map(({ api, reason, until }) => {
        const [name, why] = [i18n._(APIS[api]), i18n._(REASONS[reason] ?? msg`間をおいています`)]
        const time = timeOn(until, today, today)
        return (
          <li key={api}>
            <Mark icon={Hourglass} tone="warn">
              {until === '' ? t`${name}：${why}` : t`${name}：${why}（${time}まで）`}
            </Mark>
          </li>
        )
      })}
    </ul>
  )
}

function useWaits() {
  const { waits: read } = useServices()
  const [waits, setWaits] = useState<Awaited<ReturnType<typeof read>>>([])
  useEffect(() => {
    let isWanted = true
    const readNow = () =>
      void read().then(
        (found) => isWanted && setWaits(found),
        () => undefined,
      )
    readNow()
    const timer = setInterval(readNow, READ_AGAIN_MS)
    return () => {
      isWanted = false
      clearInterval(timer)
    }
  }, [read])
  return waits
}
