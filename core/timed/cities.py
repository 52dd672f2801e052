"""The cities by which time zones are named in the zone data, for "9am London time". Pure."""

_CITIES = {
    "Africa": (
        "abidjan accra addis_ababa algiers asmara bamako bangui banjul bissau blantyre brazzaville bujumbura "
        "cairo casablanca ceuta conakry dakar dar_es_salaam djibouti douala el_aaiun freetown gaborone harare "
        "johannesburg juba kampala khartoum kigali kinshasa lagos libreville lome luanda lubumbashi lusaka "
        "malabo maputo maseru mbabane mogadishu monrovia nairobi ndjamena niamey nouakchott ouagadougou "
        "porto-novo sao_tome tripoli tunis windhoek"
    ),
    "America": (
        "adak anchorage anguilla antigua araguaina aruba asuncion atikokan bahia bahia_banderas barbados "
        "belem belize blanc-sablon boa_vista bogota boise cambridge_bay campo_grande cancun caracas cayenne "
        "cayman chicago chihuahua ciudad_juarez costa_rica coyhaique cuiaba curacao danmarkshavn dawson "
        "dawson_creek denver detroit dominica edmonton eirunepe el_salvador fort_nelson fortaleza glace_bay "
        "goose_bay grand_turk grenada guadeloupe guatemala guayaquil guyana halifax havana hermosillo inuvik "
        "iqaluit jamaica juneau kralendijk la_paz lima los_angeles lower_princes maceio managua manaus "
        "marigot martinique matamoros mazatlan menominee merida mexico_city miquelon moncton monterrey "
        "montevideo montserrat nassau new_york noronha nuuk ojinaga panama paramaribo phoenix port-au-prince "
        "port_of_spain porto_velho puerto_rico punta_arenas rankin_inlet regina resolute rio_branco santarem "
        "santiago santo_domingo sao_paulo scoresbysund sitka st_barthelemy st_johns st_kitts st_lucia "
        "st_thomas st_vincent swift_current tegucigalpa tijuana toronto tortola vancouver whitehorse winnipeg "
        "yakutat"
    ),
    "America/Argentina": (
        "buenos_aires catamarca cordoba jujuy la_rioja mendoza rio_gallegos salta san_juan san_luis tucuman ushuaia"
    ),
    "America/Indiana": "indianapolis",
    "America/North_Dakota": "beulah new_salem",
    "Asia": (
        "aden almaty amman anadyr aqtau aqtobe ashgabat atyrau baghdad bahrain baku bangkok barnaul beirut "
        "bishkek brunei chita colombo damascus dhaka dili dubai dushanbe famagusta gaza hebron ho_chi_minh "
        "hong_kong hovd irkutsk jakarta jayapura jerusalem kabul kamchatka karachi kathmandu khandyga kolkata "
        "krasnoyarsk kuala_lumpur kuching kuwait macau magadan makassar manila muscat nicosia novokuznetsk "
        "novosibirsk omsk oral phnom_penh pontianak pyongyang qatar qostanay qyzylorda riyadh sakhalin "
        "samarkand seoul shanghai singapore srednekolymsk taipei tashkent tbilisi tehran thimphu tokyo tomsk "
        "ulaanbaatar urumqi ust-nera vientiane vladivostok yakutsk yangon yekaterinburg yerevan"
    ),
    "Atlantic": "azores bermuda canary cape_verde faroe madeira reykjavik south_georgia st_helena",
    "Australia": "adelaide brisbane broken_hill darwin eucla hobart lindeman lord_howe melbourne perth sydney",
    "Europe": (
        "amsterdam andorra astrakhan athens belgrade berlin bratislava brussels bucharest budapest busingen "
        "chisinau copenhagen dublin gibraltar guernsey helsinki isle_of_man istanbul jersey kaliningrad kirov "
        "kyiv lisbon ljubljana london luxembourg madrid malta mariehamn minsk monaco moscow oslo paris "
        "podgorica prague riga rome samara san_marino sarajevo saratov simferopol skopje sofia stockholm "
        "tallinn tirane ulyanovsk vaduz vatican vienna vilnius volgograd warsaw zagreb zurich"
    ),
    "Indian": "antananarivo comoro kerguelen maldives mauritius mayotte",
    "Pacific": (
        "apia auckland bougainville chatham chuuk efate fakaofo fiji funafuti galapagos gambier guadalcanal "
        "guam honolulu kanton kiritimati kosrae kwajalein majuro marquesas nauru niue norfolk noumea "
        "pago_pago palau pitcairn pohnpei port_moresby rarotonga saipan tahiti tarawa tongatapu wallis"
    ),
}
ZONE_OF_CITY = {city: f"{area}/{city}" for area, cities in _CITIES.items() for city in cities.split()}
"""The name of the zone in small letters; the zone data is asked for its spelling."""
