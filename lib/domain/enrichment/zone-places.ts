/** The zone in which nearly everybody in a country lives, for countries whose other zones are islands or thinly populated. */
export const MAIN_ZONE: Record<string, string> = {
  AR: 'America/Argentina/Buenos_Aires',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  CY: 'Asia/Nicosia',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  MY: 'Asia/Kuala_Lumpur',
  NZ: 'Pacific/Auckland',
  PT: 'Europe/Lisbon',
  UA: 'Europe/Kyiv',
  UZ: 'Asia/Tashkent',
  VN: 'Asia/Ho_Chi_Minh',
}

/** US states and Canadian provinces that lie in one zone. Those with two are left out: TX, FL, MI, IN, KY, TN, ND, SD, NE, KS, ID, OR, AK; ON, QC, BC, NU, SK. */
export const STATE_ZONE: Record<string, Record<string, string>> = {
  US: byZone({
    'America/New_York':
      'CT Connecticut|DE Delaware|DC District of Columbia|GA Georgia|ME Maine|MD Maryland|MA Massachusetts|NH New Hampshire|NJ New Jersey|NY New York|NC North Carolina|OH Ohio|PA Pennsylvania|RI Rhode Island|SC South Carolina|VT Vermont|VA Virginia|WV West Virginia',
    'America/Chicago':
      'AL Alabama|AR Arkansas|IL Illinois|IA Iowa|LA Louisiana|MN Minnesota|MS Mississippi|MO Missouri|OK Oklahoma|WI Wisconsin',
    'America/Denver': 'CO Colorado|MT Montana|NM New Mexico|UT Utah|WY Wyoming',
    'America/Phoenix': 'AZ Arizona',
    'America/Los_Angeles': 'CA California|NV Nevada|WA Washington',
    'Pacific/Honolulu': 'HI Hawaii',
  }),
  CA: byZone({
    'America/Winnipeg': 'MB Manitoba',
    'America/Edmonton': 'AB Alberta',
    'America/Halifax': 'NS Nova Scotia|PE Prince Edward Island',
    'America/Moncton': 'NB New Brunswick',
    'America/Whitehorse': 'YT Yukon',
  }),
  AU: byZone({
    'Australia/Sydney': 'NSW New South Wales|ACT Australian Capital Territory',
    'Australia/Melbourne': 'VIC Victoria',
    'Australia/Brisbane': 'QLD Queensland',
    'Australia/Adelaide': 'SA South Australia',
    'Australia/Perth': 'WA Western Australia',
    'Australia/Darwin': 'NT Northern Territory',
    'Australia/Hobart': 'TAS Tasmania',
  }),
}

/** Parses `Code Name|Code Name` by zone into {code or name in lower case: zone}. */
function byZone(zones: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(zones).flatMap(([zone, states]) =>
      states
        .split('|')
        .filter(Boolean)
        .flatMap((state) => {
          const [code = '', ...name] = state.split(' ')
          return [
            [code.toLowerCase(), zone],
            [name.join(' ').toLowerCase(), zone],
          ]
        }),
    ),
  )
}

/**
 * Large cities of countries with several zones, if no IANA zone is named after the city. Names that two large cities of the
 * country share (Portland, Columbus, Springfield) are left out.
 */
const CITIES: Record<string, Record<string, string>> = {
  US: {
    'America/New_York':
      'New York City|NYC|Brooklyn|Manhattan|Boston|Philadelphia|Washington DC|Washington D.C.|Atlanta|Miami|Baltimore|Pittsburgh|Cleveland|Cincinnati|Charlotte|Raleigh|Orlando|Tampa|Buffalo|Newark|Hartford|Jersey City|Fort Lauderdale',
    'America/Chicago':
      'Houston|Dallas|Austin|San Antonio|Fort Worth|Milwaukee|Minneapolis|Saint Paul|St. Paul|St. Louis|New Orleans|Nashville|Memphis|Oklahoma City|Tulsa|Omaha|Plano|Des Moines|Madison',
    'America/Denver': 'Salt Lake City|Boulder|Albuquerque|Colorado Springs|El Paso|Provo|Santa Fe',
    'America/Phoenix': 'Tucson|Scottsdale|Mesa|Tempe',
    'America/Los_Angeles':
      'LA|San Francisco|San Diego|San Jose|Seattle|Sacramento|Oakland|Palo Alto|Mountain View|Sunnyvale|Cupertino|Menlo Park|San Mateo|Santa Monica|Berkeley|Irvine|Long Beach|Las Vegas|Bellevue|Redmond|Santa Clara|Fremont',
  },
  CA: {
    'America/Toronto':
      'Ottawa|Montreal|Montréal|Quebec City|Québec|Mississauga|Hamilton|Waterloo|Kitchener|Laval|Markham',
    'America/Vancouver': 'Burnaby|Surrey|Victoria',
    'America/Edmonton': 'Calgary',
  },
  AU: {
    'Australia/Sydney': 'Canberra|Newcastle|Parramatta',
    'Australia/Brisbane': 'Gold Coast',
    'Australia/Melbourne': 'Geelong',
  },
  BR: {
    'America/Sao_Paulo':
      'São Paulo|Sao Paulo|Rio de Janeiro|Rio|Brasília|Brasilia|Belo Horizonte|Curitiba|Porto Alegre|Florianópolis|Florianopolis|Campinas|Goiânia|Vitória',
  },
  MX: {
    'America/Mexico_City': 'CDMX|Ciudad de México|Guadalajara|Puebla|Querétaro|León',
    'America/Monterrey': 'San Pedro Garza García',
  },
  RU: {
    'Europe/Moscow': 'Москва|Saint Petersburg|St. Petersburg|Санкт-Петербург|Nizhny Novgorod|Kazan',
    'Asia/Novosibirsk': 'Новосибирск',
  },
  ID: { 'Asia/Jakarta': 'Bandung|Surabaya|Medan|Semarang|Bogor', 'Asia/Makassar': 'Denpasar' },
  ES: {
    'Europe/Madrid': 'Barcelona|Valencia|Sevilla|Seville|Zaragoza|Málaga|Malaga|Bilbao|Palma',
    'Atlantic/Canary': 'Las Palmas|Santa Cruz de Tenerife|Tenerife',
  },
  PT: {
    'Europe/Lisbon': 'Lisboa|Porto|Braga|Coimbra',
    'Atlantic/Azores': 'Ponta Delgada',
    'Atlantic/Madeira': 'Funchal',
  },
  CN: { 'Asia/Shanghai': 'Beijing|Shenzhen|Guangzhou|北京|上海|深圳|广州|Hangzhou|Chengdu' },
  KZ: { 'Asia/Almaty': 'Astana' },
}

export const CITY_ZONE: Record<string, Record<string, string>> = Object.fromEntries(
  Object.entries(CITIES).map(([country, zones]) => [
    country,
    Object.fromEntries(
      Object.entries(zones).flatMap(([zone, cities]) =>
        cities.split('|').map((city) => [city.toLowerCase(), zone]),
      ),
    ),
  ]),
)
