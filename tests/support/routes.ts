/** Every route of the app, who may open it, and an address of it (spec 2, 6). */

/** ip: behind login and the permission {ip}; guest: without a session only; open: anyone; none: no screen of its own. */
export type Access = 'ip' | 'guest' | 'open' | 'none'

export const routes: Record<string, [access: Access, href: string]> = {
  __root__: ['none', '/'],
  '/_app': ['none', '/'],
  '/': ['ip', '/'],
  '/login': ['guest', '/login?redirect=%2Foutbox'],
  '/logout': ['open', '/logout'],
  '/not-found': ['open', '/not-found'],
  '/forbidden': ['open', '/forbidden'],
  '/internal-server-error': ['open', '/internal-server-error'],
  '/error-logs': ['open', '/error-logs'],
  '/verify': ['open', '/verify'],
  '/_app/request/': ['ip', '/request?select=true'],
  '/_app/request/$id': ['ip', '/request/r1?workingDate=2026-11-20'],
  '/_app/outbox': ['ip', '/outbox'],
  '/_app/share': ['ip', '/share?left=ec00015-1'],
  '/_app/settings': ['ip', '/settings'],
  '/_app/settings_/figures': ['ip', '/settings/figures'],
  '/_app/settings_/support': ['ip', '/settings/support'],
  '/_app/(quick-report)/quickReport/add/$quickReportId': ['ip', '/quickReport/add/q1?other=q2,q3'],
  '/_app/(quick-report)/quickReport/$id': ['ip', '/quickReport/q1'],
  '/_app/(quick-report)/quickReport/$id_/edit': ['ip', '/quickReport/q1/edit'],
  '/_app/(emergency-report)/emergencyReport/add/$id': [
    'ip',
    '/emergencyReport/add/r1?workingDate=2026-11-20',
  ],
  '/_app/(emergency-report)/emergencyReport/$id': ['ip', '/emergencyReport/r1?workingDate=2026-11-20'],
  '/_app/(emergency-report)/emergencyReport/$id_/edit': ['ip', '/emergencyReport/e1/edit'],
  '/_app/(note-location-area)/noteLocationArea/$otherId': [
    'ip',
    '/noteLocationArea/a1?type=1&workingDate=2026-11-20',
  ],
  '/_app/(note-location-area)/noteLocationArea/add/$requestId': ['ip', '/noteLocationArea/add/r1'],
  '/_app/(note-location-area)/noteLocationArea/$id_/edit': ['ip', '/noteLocationArea/n1/edit'],
  '/_app/(past-report)/report/$deviceId': ['ip', '/report/d1'],
  '/_app/(safety-measure)/safetyMeasure/select/$requestId': [
    'ip',
    '/safetyMeasure/select/r1?workingDateType=1&workingDate=2026-11-20',
  ],
  '/_app/(safety-measure)/safetyMeasure/add': [
    'ip',
    '/safetyMeasure/add?requestId=r1&safetyType=1&workingDate=2026-11-20',
  ],
  '/_app/(safety-measure)/safetyMeasure/$id': ['ip', '/safetyMeasure/s1'],
  '/_app/(safety-measure)/safetyMeasure/$id_/edit': ['ip', '/safetyMeasure/s1/edit'],
  '/_app/(customer-location-change-request)/customerLocationChangeRequest/add/$requestId': [
    'ip',
    '/customerLocationChangeRequest/add/r1',
  ],
  '/_app/(customer-location-change-request)/customerLocationChangeRequest/$id': [
    'ip',
    '/customerLocationChangeRequest/c1',
  ],
  '/_app/(customer-location-change-request)/customerLocationChangeRequest/$id_/edit': [
    'ip',
    '/customerLocationChangeRequest/c1/edit',
  ],
  '/_app/(location-contact-change-request)/locationContactChangeRequest/add/$requestId/$type': [
    'ip',
    '/locationContactChangeRequest/add/r1/type1',
  ],
  '/_app/(location-contact-change-request)/locationContactChangeRequest/$id/$type': [
    'ip',
    '/locationContactChangeRequest/c1/type2',
  ],
  '/_app/(location-contact-change-request)/locationContactChangeRequest/$id/edit/$type': [
    'ip',
    '/locationContactChangeRequest/c1/edit/type1',
  ],
}
