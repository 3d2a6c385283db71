/** Derives the form of a draft from the draft's key: its name, URL and request. */
import { ContactType } from '#schemas/codes.ts'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import { visitIn } from '#schemas/resources/visit-key.ts'
import { isFormSlug } from '#data/changes/offline-policy.ts'

export interface DraftForm {
  /** Collection of the form's record. Together with `kind`, it gives the name of the form (`jobName`). */
  resource: PushCollection
  recordKey: string
  kind: string
  path: string
  /**
   * Requests of the form, each as CRM id or row key. Empty if the draft's key names only a record; the request is then
   * in that record.
   */
  requests: readonly string[]
}

const encoded = encodeURIComponent

/**
 * Parses the key of a draft: `slug/add/<visit or request>` or `slug/edit/<record's key>`. A visit is
 * `<requestId>_<YYYY-MM-DD>`.
 * @param id id of the edited record for the URL; the record's key by default. Must be the CRM id if the record has one,
 * because the URL would otherwise open another record whose CRM id equals the key
 * @returns null if this app version does not know the form
 */
export function draftForm(key: string, id?: string): DraftForm | null {
  const [slug = '', action = '', ...rest] = key.split('/')
  const own = rest.join('/')
  const editPath = `/${slug}/${encoded(id ?? own)}/edit`
  const isAdd = action === 'add'
  if (own === '' || !(isAdd || action === 'edit') || !isFormSlug(slug)) return null
  const { requestId = '', workingDate: day = '', rest: safetyType = '' } = visitIn(own) ?? {}
  const form = (resource: PushCollection, addPath: string, request: string): DraftForm => ({
    resource,
    recordKey: own,
    kind: isAdd ? 'create' : 'edit',
    path: isAdd ? addPath : editPath,
    requests: isAdd ? [request] : [],
  })
  switch (slug) {
    case 'quickReport':
      return isAdd ? exitForm(own) : form('quickReports', '', own)
    case 'emergencyReport':
      return form('emergencyReports', `/${slug}/add/${encoded(requestId)}?workingDate=${day}`, own)
    case 'safetyMeasure':
      return form(
        'safetyMeasures',
        `/${slug}/add?${new URLSearchParams({ requestId, safetyType, workingDate: day }).toString()}`,
        `${requestId}_${day}`,
      )
    case 'customerLocationChangeRequest':
      return {
        ...form('customerLocationChangeRequests', `/${slug}/add/${encoded(own)}`, own),
        requests: [own],
      }
    case 'locationContactChangeRequest': {
      // The key is `<request>_<contact type>`. All codes of contact types have the same length.
      const type = own.endsWith(ContactType.code.exit) ? 'type2' : 'type1'
      const request = own.slice(0, -1 - ContactType.code.exit.length)
      const made = form('locationContactChangeRequests', `/${slug}/add/${encoded(request)}/${type}`, request)
      return isAdd ? made : { ...made, path: `${editPath}/${type}`, requests: [request] }
    }
    default:
      return form(`${slug}s`, `/${slug}/add/${encoded(own)}`, own)
  }
}

/** Separates the visits in the key of reports that are registered together. Each visit ends with its day. */
const BETWEEN_VISITS = /(?<=_\d{4}-\d{2}-\d{2})\//

function exitForm(own: string): DraftForm {
  const [main = own, ...others] = own.split(BETWEEN_VISITS)
  const query = others.length > 0 ? `?${new URLSearchParams({ other: others.join(',') }).toString()}` : ''
  return {
    resource: 'quickReports',
    recordKey: main,
    kind: 'exit',
    path: `/quickReport/add/${encoded(main)}${query}`,
    requests: [main, ...others],
  }
}
