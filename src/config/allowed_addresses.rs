//! The addresses that webhooks may be sent to: by default those of the public Internet only, so that a configured URL
//! cannot make the service call into a private network (server-side request forgery, SSRF).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The addresses that an endpoint may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowedAddresses {
    /// Addresses of the public Internet.
    Public,
    /// This machine.
    Loopback,
    /// All.
    Everywhere,
}

impl AllowedAddresses {
    /// Whether an endpoint may be at this address.
    pub fn includes(self, address: IpAddr) -> bool {
        match self {
            AllowedAddresses::Public => is_public(address),
            AllowedAddresses::Loopback => address.to_canonical().is_loopback(),
            AllowedAddresses::Everywhere => true,
        }
    }
}

/// Whether an address is one of the public Internet, by the registries of special addresses
/// (<https://www.iana.org/assignments/iana-ipv4-special-registry>, <https://www.iana.org/assignments/iana-ipv6-special-registry>).
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    /// Blocks that lead elsewhere than to the public Internet, each with the length of its prefix.
    const SPECIAL: [([u8; 4], u32); 17] = [
        // "This network", private networks, shared addresses of carriers.
        ([0, 0, 0, 0], 8),
        ([10, 0, 0, 0], 8),
        ([100, 64, 0, 0], 10),
        // Loopback, link-local (the metadata of clouds), private networks.
        ([127, 0, 0, 0], 8),
        ([169, 254, 0, 0], 16),
        ([172, 16, 0, 0], 12),
        // Protocol assignments, documentation, the old relays of 6to4.
        ([192, 0, 0, 0], 24),
        ([192, 0, 2, 0], 24),
        ([192, 88, 99, 0], 24),
        ([192, 168, 0, 0], 16),
        // Benchmarks, documentation.
        ([198, 18, 0, 0], 15),
        ([198, 51, 100, 0], 24),
        ([203, 0, 113, 0], 24),
        // Multicast, reserved, broadcast.
        ([224, 0, 0, 0], 4),
        ([240, 0, 0, 0], 4),
        ([255, 255, 255, 255], 32),
        // Public by its number, and the metadata server of a cloud.
        ([168, 63, 129, 16], 32),
    ];
    let bits = address.to_bits();
    !SPECIAL.iter().any(|&(block, prefix)| {
        let mask = u32::MAX << (32 - prefix);
        bits & mask == Ipv4Addr::from(block).to_bits() & mask
    })
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let embedded = Ipv4Addr::from((u32::from(segments[6]) << 16) | u32::from(segments[7]));
    match segments {
        // IPv4 written as IPv6, and through NAT64: as public as the address inside.
        [0, 0, 0, 0, 0, 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => is_public_v4(embedded),
        // Teredo, ORCHID and other assignments of protocols; documentation; 6to4, which wraps an IPv4 address.
        [0x2001, 0..0x200 | 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..0x1000, ..] => false,
        // Only 2000::/3 is assigned to the public Internet.
        [first, ..] => (0x2000..0x4000).contains(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inside_addresses_are_refused_in_every_spelling() {
        for inside in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.100.100.200",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "169.254.170.2",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "168.63.129.16",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            "::ffff:0:127.0.0.1",
            "64:ff9b::127.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b::169.254.169.254",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:0:7f00:1::",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:a00:1::1",
            "2002:a9fe:a9fe::",
            "3fff::1",
            "3fff:fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fd12:3456::1",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
            "4000::1",
            "8000::1",
        ] {
            assert!(!AllowedAddresses::Public.includes(inside.parse().unwrap()), "{inside}");
            assert!(AllowedAddresses::Everywhere.includes(inside.parse().unwrap()), "{inside}");
        }
    }

    #[test]
    fn addresses_of_the_public_internet_are_not() {
        for public in [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.1",
            "100.63.255.255",
            "100.128.0.1",
            "126.255.255.255",
            "128.0.0.1",
            "169.253.255.255",
            "169.255.0.1",
            "172.15.255.255",
            "172.32.0.1",
            "192.0.1.1",
            "192.167.1.1",
            "192.169.0.1",
            "198.17.255.255",
            "198.20.0.1",
            "223.255.255.255",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "2a00:1450::1",
            "3ffe::1",
        ] {
            assert!(AllowedAddresses::Public.includes(public.parse().unwrap()), "{public}");
        }
    }

    #[test]
    fn a_url_of_this_machine_leads_to_it_alone() {
        for (address, is) in
            [("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("10.0.0.1", false), ("8.8.8.8", false)]
        {
            assert_eq!(AllowedAddresses::Loopback.includes(address.parse().unwrap()), is, "{address}");
        }
    }
}
