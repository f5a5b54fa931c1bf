//! Random words that nobody can guess, for addresses and for code that a page trusts.

/// How many random bytes are in a word.
const BYTES: usize = 16;

/// Makes a random word out of hexadecimal digits.
///
/// # Errors
/// If the system has no random numbers.
pub(crate) fn word() -> Result<String, getrandom::Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_differ() {
        let words = [word(), word()].map(|word| word.expect("random numbers"));
        assert_eq!(words.each_ref().map(String::len), [2 * BYTES; 2], "{words:?}");
        assert_ne!(words[0], words[1]);
    }
}
