import { expect, it } from 'vitest'
import { eventsOf } from '../sample-events.js'

/** The abbreviated names of months in the locales of OpenJDK 17, as java.util.logging writes them. */
const MONTHS: Readonly<Record<string, string>> = {
  Czech: 'led úno bře dub kvě čvn čvc srp zář říj lis pro',
  Dutch: 'jan. feb. mrt. apr. mei jun. jul. aug. sep. okt. nov. dec.',
  Estonian: 'jaan veebr märts apr mai juuni juuli aug sept okt nov dets',
  Finnish:
    'tammik. helmik. maalisk. huhtik. toukok. kesäk. heinäk. elok. syysk. lokak. marrask. jouluk.',
  'German in Austria': 'Jän. Feb. März Apr. Mai Juni Juli Aug. Sep. Okt. Nov. Dez.',
  Hebrew: 'ינו׳ פבר׳ מרץ אפר׳ מאי יוני יולי אוג׳ ספט׳ אוק׳ נוב׳ דצמ׳',
  Hungarian: 'jan. febr. márc. ápr. máj. jún. júl. aug. szept. okt. nov. dec.',
  Indonesian: 'Jan Feb Mar Apr Mei Jun Jul Agu Sep Okt Nov Des',
  Latvian: 'janv. febr. marts apr. maijs jūn. jūl. aug. sept. okt. nov. dec.',
  Norwegian: 'jan. feb. mar. apr. mai jun. jul. aug. sep. okt. nov. des.',
  Polish: 'sty lut mar kwi maj cze lip sie wrz paź lis gru',
  Portuguese: 'jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.',
  Romanian: 'ian. feb. mar. apr. mai iun. iul. aug. sept. oct. nov. dec.',
  Russian: 'янв. февр. мар. апр. мая июн. июл. авг. сент. окт. нояб. дек.',
  Serbian: 'јан феб мар апр мај јун јул авг сеп окт нов дец',
  Slovak: 'jan feb mar apr máj jún júl aug sep okt nov dec',
  Thai: 'ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค.',
}

it.each(Object.entries(MONTHS))('reads the months in %s', async (_, names) => {
  const lines = names
    .split(' ')
    .map((name) => `${name} 20, 2025 10:00:00 com.example.App main\nINFO: started\n`)
  const events = await eventsOf(Buffer.from(lines.join('')))
  expect(events.map(({ fields }) => fields._time)).toEqual(
    lines.map((_, index) => `2025-${String(index + 1).padStart(2, '0')}-20T10:00:00Z`),
  )
})
